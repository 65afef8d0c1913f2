#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// A challenge pattern with the values of the parameters filled in. It is compared with responses, and reads the captured values
/// from them. A class, because every response is compared with it and a copy takes longer than most comparisons.
final class CompiledChallenge: Sendable {
    /// The name of a part of the response, a JSON pointer or a path in XML, and the comparison of its text.
    typealias Condition = (name: String, match: MethodDescription.Match)

    let signature: CompiledSignature
    private let text: MethodDescription.Match?
    private let json: [Condition]
    private let xml: [Condition]
    private let cookies: [Condition]?
    private let query: [Condition]
    let captures: [ChallengePattern.Capture]
    let schemes: [MethodDescription.Scheme]
    let parameters: [ProgramValue]

    /// - Parameters:
    ///   - values: The values by slot.
    ///   - isConditional: Whether the pattern's conditions are checked.
    ///   - isAnswer: Whether the pattern is for the response to a method's own request, where an empty pattern matches every
    ///     response.
    /// - Returns: `nil` if the pattern uses an absent value or one of its conditions does not hold, so that it matches no
    ///   response.
    init?(_ pattern: ChallengePattern, _ values: [ProgramValue], isConditional: Bool = true, isAnswer: Bool = false) {
        guard !isConditional || pattern.conditions.allSatisfy({ $0.holds(values) }),
            let description = pattern.description(values)
        else { return nil }
        var text: MethodDescription.Match?
        if let match = pattern.text {
            guard let match = match.description(values) else { return nil }
            text = match
        }
        guard let json = pattern.json.conditions(values), let xml = pattern.xml.conditions(values),
            let query = pattern.query.conditions(values)
        else { return nil }
        var cookies: [Condition]?
        if let wanted = pattern.cookies {
            guard let conditions = wanted.all.conditions(values) else { return nil }
            cookies = conditions
        }
        self.text = text
        self.json = json
        self.xml = xml
        self.cookies = cookies
        self.query = query
        signature = CompiledSignature(
            description, isPart: isAnswer || text != nil || !json.isEmpty || !xml.isEmpty || cookies != nil || !query.isEmpty)
        captures = pattern.captures
        schemes = description.schemes
        parameters = values
    }

    /// Whether the head of a response matches and the body must be read for the rest. An event stream is not read, since its
    /// beginning may never arrive.
    func needsBody(of reading: inout ResponseReading) -> Bool {
        guard comparesBody else { return false }
        return !reading.isEventStream && signature.matches(&reading.head)
    }

    /// Whether matching or capturing needs the body.
    var comparesBody: Bool { !isOfHead || captures.contains(where: \.source.isInBody) }

    /// Whether the pattern compares only the head of a response, not its body.
    fileprivate var isOfHead: Bool { text == nil && json.isEmpty && xml.isEmpty }

    /// Whether a response matches and contains every required capture.
    func matches(_ reading: inout ResponseReading) -> Bool {
        guard signature.matches(&reading.head), matchesCookies(of: &reading), matchesBody(of: &reading),
            query.allSatisfy({ name, match in match.holds(for: reading.query[nonempty: name]) })
        else { return false }
        return hasAll(of: &reading)
    }

    /// Returns the reason, for an error, why a response with a matching head does not match as a whole.
    func lack(of reading: inout ResponseReading) -> String {
        let needsJSON = !json.isEmpty || captures.contains { if case .json = $0.source { true } else { false } }
        if needsJSON, reading.json() == nil { return "the response is not JSON" }
        if let wrong = json.first(where: { pointer, match in
            let values = reading.json()?.values(at: pointer) ?? []
            return match != .present && !values.isEmpty && !match.holds(for: values)
        }) {
            let hint = differsBySlash(wrong, &reading) ? ", which differs from the expected one only by a '/' at the end" : ""
            return "the response has an unexpected value at '\(wrong.name)'\(hint)"
        }
        if let absent = json.first(where: { pointer, match in
            let values = reading.json()?.values(at: pointer) ?? []
            // An empty text counts as none.
            return match != .absent && (values.isEmpty || match == .present && !match.holds(for: values))
        }) {
            return "the response has no value at '\(absent.name)'"
        }
        if let wrong = xml.first(where: { !matches($0, &reading) }) {
            guard let tree = reading.xml() else { return "the response is not XML, or has a document type" }
            return tree[wrong.name] == nil
                ? "the response has no value at '\(wrong.name)'" : "the response has an unexpected text at '\(wrong.name)'"
        }
        let missing = captures.first { !$0.isOptional && $0.fallback == nil && !has($0, &reading) }
        return missing.map { capture in
            let place = capture.source.place
            return capture.items.isEmpty
                ? "the response has no text at '\(place)'"
                : "the response has no item with a text at '\(place)' that meets the conditions of the spec"
        }
            ?? "the spec does not describe the server's response"
    }

    /// Whether a text of the response and the expected one differ only by a slash at the end, the most frequent mistake in issuers.
    private func differsBySlash(_ condition: Condition, _ reading: inout ResponseReading) -> Bool {
        guard case .equals(let expected) = condition.match else { return false }
        let texts = reading.json()?.values(at: condition.name).compactMap(\.text) ?? []
        return texts.contains { $0 == expected + "/" || expected == $0 + "/" }
    }

    private func matchesCookies(of reading: inout ResponseReading) -> Bool {
        guard let cookies else { return true }
        let set = reading.cookies()
        return cookies.isEmpty ? !set.isEmpty : cookies.allSatisfy { name, match in match.holds(for: set[name]) }
    }

    private func matchesBody(of reading: inout ResponseReading) -> Bool {
        if let text {
            guard let body = reading.text(), text.matches(body) else { return false }
        }
        guard xml.allSatisfy({ matches($0, &reading) }) else { return false }
        guard !json.isEmpty else { return true }
        guard let tree = reading.json() else { return false }
        return json.allSatisfy { pointer, match in match.holds(for: tree.values(at: pointer)) }
    }

    private func matches(_ condition: Condition, _ reading: inout ResponseReading) -> Bool {
        reading.xml().map { condition.match.holds(for: $0[condition.name]) } ?? false
    }
}

extension MethodProgram {
    /// Returns whether the head of a response matches, as far as that depends on neither parameters nor body.
    @_spi(Generated) public func matches(_ response: HTTPResponse, from url: URL) -> Bool {
        let parameters = slots.map { _ in ProgramValue.absent }
        return challenges.compactMap { CompiledChallenge($0, parameters, isConditional: false) }.match(response, from: url)
    }
}

extension [CompiledChallenge] {
    /// Whether the head of a response matches one of the patterns that compare only the head.
    func match(_ response: HTTPResponse, from url: URL) -> Bool {
        var head = ChallengedHead(response, from: url)
        return contains { $0.isOfHead && $0.signature.matches(&head) }
    }
}

extension ChallengePattern.Capture.Source {
    fileprivate var isInBody: Bool {
        switch self {
        case .header, .parameter, .cookie, .query: false
        case .json, .xml, .input, .body: true
        }
    }

    /// The location of the value, for errors.
    fileprivate var place: String {
        switch self {
        case .header(let name), .parameter(let name), .cookie(let name), .query(let name): name
        case .json(let pointers): pointers.first ?? ""
        case .xml(let path): path
        case .input: "input"
        case .body: "body"
        }
    }
}

extension ChallengePattern.Cookies {
    fileprivate var all: NamedList<ChallengePattern.Named> {
        switch self {
        case .any: []
        case .named(let cookies): cookies
        }
    }
}

extension ChallengePattern {
    /// Returns the pattern with values filled in; `nil` if it uses an absent value.
    func description(_ values: [ProgramValue]) -> MethodDescription.Challenge? {
        guard let fields = headers.conditions(values) else { return nil }
        var descriptions: [MethodDescription.Scheme] = []
        for scheme in schemes {
            guard let parameters = scheme.parameters.conditions(values) else { return nil }
            descriptions.append(
                MethodDescription.Scheme(
                    field: scheme.field, name: scheme.name,
                    parameters: parameters.map { MethodDescription.Parameter(name: $0.name, match: $0.match) }))
        }
        var body: String?
        if case .contains(let template)? = text { body = template.text(values) }
        return MethodDescription.Challenge(
            name: name, statuses: statuses, fields: fields.map { MethodDescription.Field(name: $0.name, match: $0.match) },
            schemes: descriptions, body: body, isRefusedConnection: isRefusedConnection)
    }
}

extension NamedList<ChallengePattern.Named> {
    /// Returns the names and comparisons with values filled in; `nil` if any value is absent.
    func conditions(_ values: [ProgramValue]) -> [CompiledChallenge.Condition]? {
        var conditions: [CompiledChallenge.Condition] = []
        for named in self {
            guard let name = named.name.text(values), let match = named.match.description(values) else { return nil }
            conditions.append((name, match))
        }
        return conditions
    }
}

extension MethodDescription.Match {
    /// Whether one of the values at a JSON pointer matches, or there is none if it must be absent.
    func holds(for values: [JSONTree]) -> Bool {
        switch self {
        case .present: values.contains { $0.text?.isEmpty != true }
        case .absent: values.allSatisfy { $0.text?.isEmpty == true }
        case .equals, .prefix, .contains, .anyCase: values.contains { $0.text.map(matches) ?? false }
        }
    }
}

extension ChallengePattern.Match {
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Match? {
        switch self {
        case .present: .present
        case .absent: .absent
        case .equals(let template): template.text(values).map { .equals($0) }
        case .prefix(let template): template.text(values).map { .prefix($0) }
        case .contains(let template): template.text(values).map { .contains($0) }
        case .anyCase(let template): template.text(values).map { .anyCase($0) }
        }
    }
}
