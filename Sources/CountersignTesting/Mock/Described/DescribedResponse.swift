import Countersign
import Foundation
import HTTPTypes

/// A response that a pattern describes, with a value for each of its captures.
struct DescribedResponse {
    private(set) var response: MockResponse
    /// The query of the redirect that ends a login page.
    private(set) var query = FormParameters()
    /// The captured texts by slot.
    private(set) var values: [Int: String] = [:]
    /// The slots that have a value from this response, if only its default.
    private(set) var sent: Set<Int> = []
    /// The cookies that the pattern requires, as `name=value`. Captured ones, such as those of a form, are not among them.
    private(set) var cookies: Set<String> = []
    /// The nonces of Digest challenges.
    private(set) var nonces: Set<String> = []

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - program: The method of the pattern.
    ///   - given: The texts of slots that the request has, and of those that were issued before.
    ///   - withOptional: Whether all optional values are sent. Otherwise only secrets and URLs are, since of other texts only some
    ///     words may be valid.
    init(_ pattern: ChallengePattern, of program: DescribedProgram, given: [Int: String], withOptional: Bool) {
        response = MockResponse(
            status: HTTPResponse.Status(code: pattern.statuses.first ?? 200), fields: [.cacheControl: "no-store"])
        var content = Content()
        var schemes = pattern.schemes.map { scheme in
            (scheme: scheme, parameters: Self.parameters(of: scheme, program, given))
        }
        var fields: [String: String] = [:]
        var set: [String: String] = [:]
        for header in pattern.headers where header.match != .absent {
            fields[Self.text(header.name, program, given)] = Self.text(header.match, program, given)
        }
        // A condition on an absent value, too, is met only by a body of the format.
        if !pattern.json.isEmpty { content.put(.object([:]), at: "") }
        content.isXML = !pattern.xml.isEmpty
        for member in pattern.json where member.match != .absent {
            content.put(.text(Self.text(member.match, program, given)), at: member.name.literal)
        }
        for member in pattern.xml where member.match != .absent {
            content.xml[member.name.literal] = Self.text(member.match, program, given)
        }
        for member in pattern.query where member.match != .absent {
            query[Self.text(member.name, program, given)] = Self.text(member.match, program, given)
        }
        switch pattern.cookies {
        case nil: break
        case .any: set["session"] = Token.make()
        case .named(let cookies):
            for cookie in cookies where cookie.match != .absent {
                set[Self.text(cookie.name, program, given)] =
                    cookie.match.isFree ? Token.make() : Self.text(cookie.match, program, given)
            }
        }
        let required = Set(set.keys)
        if let text = pattern.text { content.text = Self.text(text, program, given) }
        for capture in pattern.captures {
            let isOptional = capture.isOptional || capture.fallback != nil
            guard withOptional || !isOptional || program.isSentUnasked(capture) else {
                // A condition can be on the same value.
                let present: String? =
                    switch capture.source {
                    case .header(let name): fields[name]
                    case .parameter(let name): schemes.first?.parameters[name]
                    case .cookie(let name): set[name]
                    case .query(let name): query[name]
                    case .json, .input, .xml, .body: nil
                    }
                guard let text = present ?? capture.fallback else { continue }
                sent.insert(capture.slot)
                if capture.kind.isText { values[capture.slot] = text }
                continue
            }
            sent.insert(capture.slot)
            let value = Self.stated(capture, by: pattern, program, given) ?? Self.value(of: capture, in: program)
            if capture.kind.isText { values[capture.slot] = value.text }
            switch capture.source {
            case .header(let name): fields[name] = value.wire
            case .parameter(let name): for place in schemes.indices { schemes[place].parameters[name] = value.wire }
            case .json(let pointers):
                let pointer = pointers.first ?? ""
                if capture.items.isEmpty {
                    content.put(value.json, at: pointer)
                } else {
                    content.choose(
                        value.json, or: Self.decoy(of: capture, in: program), at: pointer,
                        where: capture.items.map { Choice.Condition($0, Self.text($0.match, program, given)) })
                }
            case .cookie(let name): set[name] = value.wire
            case .query(let name): query[name] = value.wire
            case .input(let name): content.inputs[Self.text(name, program, given)] = value.wire
            case .xml(let path): content.xml[path] = value.wire
            case .body: content.text = value.wire
            }
        }
        for (scheme, parameters) in schemes {
            if scheme.isDigest, let nonce = parameters["nonce"] { nonces.insert(nonce) }
            let challenge = AuthenticationChallenge(scheme: scheme.name, parameters: parameters)
            response.fields.append(HTTPField(name: scheme.field.name, value: challenge.fieldValue))
        }
        if let (type, body) = content.body {
            response.fields[.contentType] = type
            response.body = Array(body.utf8)
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { response.fields[name] = value }
        }
        // Not even a field that the mock adds to all responses.
        for header in pattern.headers where header.match == .absent {
            if let name = HTTPField.Name(Self.text(header.name, program, given)) { response.fields[name] = nil }
        }
        for (name, value) in set.sorted(by: { $0.key < $1.key }) {
            response = response.settingCookie(name, to: value)
            if required.contains(name) { cookies.insert("\(name)=\(value)") }
        }
    }

    private static func parameters(
        of scheme: ChallengePattern.Scheme, _ program: DescribedProgram, _ given: [Int: String]
    ) -> [String: String] {
        var parameters: [String: String] = [:]
        // Without these, a Digest challenge cannot be answered (RFC 7616, section 3.3).
        if scheme.isDigest {
            parameters = ["realm": program.program.name, "nonce": Token.make(), "qop": "auth", "algorithm": "SHA-256"]
        }
        for parameter in scheme.parameters where parameter.match != .absent {
            parameters[text(parameter.name, program, given)] = text(parameter.match, program, given)
        }
        return parameters
    }

    // MARK: Values

    /// Returns the value of a capture from a JSON body that the pattern compares at the same place; `nil` if it compares none there.
    private static func stated(
        _ capture: ChallengePattern.Capture, by pattern: ChallengePattern, _ program: DescribedProgram, _ given: [Int: String]
    ) -> (text: String, wire: String, json: JSONTree)? {
        guard case .text = capture.kind, capture.items.isEmpty, case .json(let pointers) = capture.source,
            let condition = pattern.json.first(where: { $0.name.literal == pointers.first }), condition.match != .absent,
            !condition.match.isFree
        else { return nil }
        let text = text(condition.match, program, given)
        return (text, text, .text(text))
    }

    private static func value(
        of capture: ChallengePattern.Capture, in program: DescribedProgram
    ) -> (text: String, wire: String, json: JSONTree) {
        let slot = program.program.slots[capture.slot]
        let token = "\(slot.name)-\(Token.make())"
        func plain(_ text: String) -> (String, String, JSONTree) { (text, text, .text(text)) }
        switch capture.kind {
        case .text: return plain(token)
        case .decoded:
            let wire = Data(token.utf8).base64EncodedString()
            return (token, wire, .text(wire))
        case .url: return plain(program.known[capture.slot].text ?? "")
        case .duration(let unit):
            let hour = "\(Int(Duration.seconds(3600) / unit))"
            return (hour, hour, .scalar(hour))
        case .date, .moment: return plain(Date(timeIntervalSinceNow: 3600).ISO8601Format())
        case .clock: return plain(Date().ISO8601Format())
        case .texts: return (token, token, .list([.text(token)]))
        case .json: return (token, token, .object([slot.name: .text(token)]))
        case .element: return plain(token)
        case .flag(let text): return plain(text)
        case .truth: return ("true", "true", .scalar("true"))
        }
    }

    /// Returns another value than the captured one, for an item of a list that a client must not choose.
    private static func decoy(of capture: ChallengePattern.Capture, in program: DescribedProgram) -> JSONTree {
        switch capture.kind {
        // Not at one of the origins to which requests go.
        case .url: .text("https://decoy.invalid/")
        case .flag: .text(Token.make())
        case .truth: .scalar("false")
        case .text, .decoded, .duration, .date, .moment, .clock, .texts, .json, .element: value(of: capture, in: program).json
        }
    }

    private static func text(_ template: ProgramTemplate, _ program: DescribedProgram, _ given: [Int: String]) -> String {
        program.plain(template, given) ?? "described"
    }

    private static func text(_ match: ChallengePattern.Match, _ program: DescribedProgram, _ given: [Int: String]) -> String {
        switch match {
        case .present, .absent: "described"
        case .equals(let template), .prefix(let template), .contains(let template), .anyCase(let template):
            text(template, program, given)
        }
    }
}

extension DescribedProgram {
    /// Whether an optional value is sent.
    fileprivate func isSentUnasked(_ capture: ChallengePattern.Capture) -> Bool {
        if case .url = capture.kind { return true }
        return program.slots[capture.slot].isSecret
    }
}

extension ChallengePattern.Scheme {
    fileprivate var isDigest: Bool { name.lowercased() == "digest" }
}

extension ChallengePattern.Capture.Kind {
    /// Whether the value comes back as it was sent.
    var isText: Bool {
        switch self {
        case .text, .decoded, .texts: true
        case .url, .duration, .date, .moment, .clock, .json, .element, .flag, .truth: false
        }
    }
}

extension ChallengePattern.Match {
    /// Whether any text satisfies the comparison.
    fileprivate var isFree: Bool { self == .present }
}

extension ProgramTemplate {
    /// The text of a template without slots.
    fileprivate var literal: String { text([]) ?? "" }
}

/// The values of an item of a list that meets conditions.
private struct Choice {
    /// A condition on the item.
    struct Condition: Equatable {
        /// The JSON pointer in the whole body.
        let pointer: String
        /// A text that meets the condition; `nil` if there must be none.
        let met: String?
        /// A text that does not meet it; `nil` if any does.
        let unmet: String?

        /// - Parameter text: A text that meets the condition.
        init(_ condition: ChallengePattern.Named, _ text: String) {
            pointer = condition.name.literal
            met = condition.match == .absent ? nil : text
            unmet = condition.match == .present ? nil : Token.make()
        }

        static func == (one: Self, other: Self) -> Bool { one.pointer == other.pointer && one.met == other.met }
    }

    let conditions: [Condition]
    /// The values of the item and those of decoys, by JSON pointer.
    var values: [(pointer: String, value: JSONTree, decoy: JSONTree)] = []

    /// The item after decoys, of which each meets all conditions but one. A client that takes the first item, or that does not
    /// compare one of the values, gets the value of a decoy.
    var tree: JSONTree {
        let decoys = conditions.indices.map { item(without: $0) }
        return (decoys + [item(without: nil)]).reduce(JSONTree.object([:])) { JSONTree.joined($0, $1, isAppended: true) }
    }

    /// Returns the lists with one item.
    ///
    /// - Parameter unmet: The index of the condition that the item does not meet; `nil` for the item that meets all.
    private func item(without unmet: Int?) -> JSONTree {
        var item = JSONTree.object([:])
        for (index, condition) in conditions.enumerated() {
            guard let text = index == unmet ? condition.unmet : condition.met else { continue }
            item = item.with(.text(text), at: condition.pointer)
        }
        // A condition can be on a captured value.
        for (pointer, value, decoy) in values where unmet.map({ conditions[$0].pointer != pointer }) ?? true {
            item = item.with(unmet == nil ? value : decoy, at: pointer)
        }
        return item
    }
}

extension JSONTree {
    /// Returns a tree with a value at a JSON pointer (RFC 6901), in which `*` stands for an item of a list. Lists have one item,
    /// which can have several values.
    fileprivate func with(_ value: JSONTree, at pointer: String) -> JSONTree {
        var tree = value
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reversed() {
            let name = step.replacing("~1", with: "/").replacing("~0", with: "~")
            tree = step == "*" || step == "0" ? .list([tree]) : .object([String(name): tree])
        }
        return .joined(self, tree, isAppended: false)
    }

    /// Returns a tree with the values of another.
    ///
    /// - Parameter isAppended: Whether the items of its lists are further items. Otherwise, the only item of a list has the values of
    ///   both.
    fileprivate static func joined(_ tree: JSONTree, _ other: JSONTree, isAppended: Bool) -> JSONTree {
        switch (tree, other) {
        case (.object(let own), .object(let others)): .object(own.merging(others) { joined($0, $1, isAppended: isAppended) })
        case (.list(let own), .list(let others)) where isAppended: .list(own + others)
        case (.list(let own), .list(let others)) where own.count == 1 && others.count == 1:
            .list([joined(own[0], others[0], isAppended: false)])
        default: other
        }
    }
}

/// The body of a response, in the format that its values need.
private struct Content {
    private var json: JSONTree?
    private var choices: [Choice] = []
    /// Whether the body is XML even without a value.
    var isXML = false
    var xml: [String: String] = [:]
    var inputs: [String: String] = [:]
    var text: String?

    /// Adds a value at a JSON pointer (RFC 6901), in which `*` stands for an item of a list.
    mutating func put(_ value: JSONTree, at pointer: String) {
        json = (json ?? .object([:])).with(value, at: pointer)
    }

    /// Adds the value of an item of a list that meets conditions, after items with another value that do not.
    mutating func choose(_ value: JSONTree, or decoy: JSONTree, at pointer: String, where conditions: [Choice.Condition]) {
        let index = choices.firstIndex { $0.conditions == conditions } ?? choices.endIndex
        if index == choices.endIndex { choices.append(Choice(conditions: conditions)) }
        choices[index].values.append((pointer, value, decoy))
    }

    /// The media type and the text; `nil` for an empty body.
    var body: (type: String, text: String)? {
        let json = choices.reduce(self.json) { JSONTree.joined($0 ?? .object([:]), $1.tree, isAppended: true) }
        if let json { return ("application/json", json.json) }
        if isXML, xml.isEmpty { return ("application/xml", "<described/>") }
        if !xml.isEmpty {
            var root = Element()
            for (path, value) in xml.sorted(by: { $0.key < $1.key }) {
                root.put(value, at: path.split(separator: "/").map(String.init)[...])
            }
            return ("application/xml", root.children.map { $0.value.xml(named: $0.key) }.joined())
        }
        if !inputs.isEmpty {
            let fields = inputs.sorted { $0.key < $1.key }.map { name, value in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value.escapedForMarkup)\">"
            }
            return ("text/html; charset=utf-8", "<!doctype html><form method=\"post\">\(fields.joined())</form>\(text ?? "")")
        }
        return text.map { ("text/plain; charset=utf-8", $0) }
    }

    /// An element of an XML body.
    private struct Element {
        var attributes: [String: String] = [:]
        var children: [String: Element] = [:]
        var text = ""

        mutating func put(_ value: String, at path: ArraySlice<String>) {
            guard let name = path.first else { return text = value }
            if name.hasPrefix("@") {
                attributes[String(name.dropFirst())] = value
            } else {
                children[name, default: Element()].put(value, at: path.dropFirst())
            }
        }

        func xml(named name: String) -> String {
            let attributes = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value.escapedForMarkup)\"" }.joined()
            let content = children.sorted { $0.key < $1.key }.map { $0.value.xml(named: $0.key) }.joined()
            return "<\(name)\(attributes)>\(text.escapedForMarkup)\(content)</\(name)>"
        }
    }
}
