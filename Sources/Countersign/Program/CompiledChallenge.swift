#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// A pattern with the values of parameters filled in: compares responses, and reads what they say. A class, since each response is compared with
/// it, and a copy takes longer than most comparisons.
final class CompiledChallenge: Sendable {
    let signature: CompiledSignature
    private let text: MethodDescription.Match?
    private let json: [(pointer: String, match: MethodDescription.Match)]
    private let xml: [(path: String, match: MethodDescription.Match)]
    private let cookies: [(name: String, match: MethodDescription.Match)]?
    private let query: [(name: String, match: MethodDescription.Match)]
    private let captures: [ChallengePattern.Capture]
    private let schemes: [MethodDescription.Scheme]
    private let parameters: [ProgramValue]

    /// - Parameters:
    ///   - values: The values by slot.
    ///   - isConditional: Whether the pattern's conditions are looked at.
    ///   - isAnswer: Whether it is that of an answer to a request, where one that says nothing stands for any.
    /// - Returns: `nil` if the pattern needs a value that is absent, or a condition of it does not hold, so that nothing fits it.
    init?(_ pattern: ChallengePattern, _ values: [ProgramValue], isConditional: Bool = true, isAnswer: Bool = false) {
        guard !isConditional || pattern.conditions.allSatisfy({ $0.holds(values) }),
            let description = pattern.description(values)
        else { return nil }
        var text: MethodDescription.Match?
        if let match = pattern.text {
            guard let match = match.description(values) else { return nil }
            text = match
        }
        var json: [(String, MethodDescription.Match)] = []
        for member in pattern.json {
            guard let condition = member.condition(values) else { return nil }
            json.append((condition.name, condition.match))
        }
        var xml: [(String, MethodDescription.Match)] = []
        for member in pattern.xml {
            guard let condition = member.condition(values) else { return nil }
            xml.append((condition.name, condition.match))
        }
        var cookies: [(String, MethodDescription.Match)]?
        if let wanted = pattern.cookies {
            cookies = []
            for cookie in wanted.all {
                guard let condition = cookie.condition(values) else { return nil }
                cookies?.append(condition)
            }
        }
        var query: [(String, MethodDescription.Match)] = []
        for member in pattern.query {
            guard let condition = member.condition(values) else { return nil }
            query.append(condition)
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

    /// Whether it depends on the body of a response that its head fits. An event stream has no beginning to wait for.
    func needsBody(of reading: inout ResponseReading) -> Bool {
        guard comparesBody else { return false }
        return !reading.isEventStream && signature.matches(&reading.head)
    }

    /// Whether a body has to be looked at.
    var comparesBody: Bool { !isOfHead || captures.contains(where: \.source.isInBody) }

    /// Whether nothing but the head of a response is compared.
    fileprivate var isOfHead: Bool { text == nil && json.isEmpty && xml.isEmpty }

    /// Whether a response fits and has what is captured.
    func matches(_ reading: inout ResponseReading) -> Bool {
        guard signature.matches(&reading.head), matchesCookies(of: &reading), matchesBody(of: &reading),
            query.allSatisfy({ name, match in reading.query[nonempty: name].map(match.matches) ?? false })
        else { return false }
        return hasAll(of: &reading)
    }

    /// Whether a response has what is captured, whatever it looks like.
    func hasAll(of reading: inout ResponseReading) -> Bool {
        captures.allSatisfy { $0.isOptional || $0.fallback != nil || has($0, &reading) }
    }

    private func has(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool {
        switch capture.kind {
        case .texts: !texts(capture, &reading).isEmpty
        case .json: reading.json() != nil
        case .flag(let wanted): isThere(wanted, capture, &reading)
        case .truth: truth(capture, &reading) != nil
        case .element: element(capture, &reading) != nil
        case .text, .decoded, .url, .seconds, .date, .moment, .clock: text(capture, &reading)?.isEmpty == false
        }
    }

    /// What a response lacks whose head fits, as an error says it.
    func lack(of reading: inout ResponseReading) -> String {
        let needsJSON = !json.isEmpty || captures.contains { if case .json = $0.source { true } else { false } }
        if needsJSON, reading.json() == nil { return "the answer is no JSON" }
        if let wrong = json.first(where: { pointer, match in
            let values = reading.json()?.values(at: pointer) ?? []
            return !values.isEmpty && match != .present && !values.contains { $0.text.map(match.matches) == true }
        }) {
            return "the answer has another value at '\(wrong.pointer)'"
        }
        if let absent = json.first(where: { reading.json()?.values(at: $0.pointer).isEmpty != false }) {
            return "the answer has nothing at '\(absent.pointer)'"
        }
        if let wrong = xml.first(where: { !matches($0, &reading) }) {
            guard let tree = reading.xml() else { return "the answer is no XML, or has a document type" }
            return tree[wrong.path] == nil
                ? "the answer has nothing at '\(wrong.path)'" : "the answer has another text at '\(wrong.path)'"
        }
        let missing = captures.first { !$0.isOptional && $0.fallback == nil && !has($0, &reading) }
        return missing.map { "the answer has no text at '\($0.source.place)'" } ?? "the server's answer is none that the spec knows"
    }

    private func matchesCookies(of reading: inout ResponseReading) -> Bool {
        guard let cookies else { return true }
        let set = reading.cookies()
        return !set.isEmpty && cookies.allSatisfy { name, match in set[name].map(match.matches) ?? false }
    }

    private func matchesBody(of reading: inout ResponseReading) -> Bool {
        if let text {
            guard let body = reading.text(), text.matches(body) else { return false }
        }
        guard xml.allSatisfy({ matches($0, &reading) }) else { return false }
        guard !json.isEmpty else { return true }
        guard let tree = reading.json() else { return false }
        return json.allSatisfy { pointer, match in
            tree.values(at: pointer).contains { match == .present || $0.text.map(match.matches) ?? false }
        }
    }

    private func matches(_ condition: (path: String, match: MethodDescription.Match), _ reading: inout ResponseReading) -> Bool {
        guard let text = reading.xml()?[condition.path] else { return false }
        return condition.match == .present || condition.match.matches(text)
    }

    /// What a response says, by slot.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge`` for a value that is too long, has control characters, or is no value of its
    ///   kind; ``CountersignError/Code/addressRefused`` for an address that is not where it may be.
    func values(_ reading: inout ResponseReading) throws(CountersignError) -> [Int: ProgramValue] {
        var values: [Int: ProgramValue] = [:]
        for capture in captures {
            switch capture.kind {
            case .texts:
                let texts = texts(capture, &reading)
                values[capture.slot] = texts.isEmpty ? .absent : .texts(texts)
                continue
            case .json:
                let isJSON = reading.json() != nil && !reading.isForm
                values[capture.slot] = (isJSON ? reading.text() : reading.whole()).map { isJSON ? .json($0) : .text($0) } ?? .absent
                continue
            case .flag(let wanted):
                values[capture.slot] = .given(isThere(wanted, capture, &reading))
                continue
            case .truth:
                values[capture.slot] = .given(truth(capture, &reading) == true)
                continue
            case .element:
                values[capture.slot] = element(capture, &reading).map { .xml($0) } ?? .absent
                continue
            case .text, .decoded, .url, .seconds, .date, .moment, .clock: break
            }
            let found = text(capture, &reading)
            guard let text = found?.isEmpty == false ? found : capture.fallback else { continue }
            let limit = capture.source.longestValue
            guard text.utf8.count <= limit else {
                throw unusable("has \(text.utf8.count) bytes; \(limit) is the limit")
            }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw unusable("has a control character") }
            switch capture.kind {
            case .text: values[capture.slot] = .text(text)
            case .decoded:
                if let decoded = Self.decoded(text) {
                    values[capture.slot] = .text(decoded)
                } else if !capture.isOptional {
                    throw unusable("is no text in base64")
                }
            case .url(let places, let isLenient):
                do throws(CountersignError) {
                    values[capture.slot] = .url(try url(text, within: places, from: reading.head.url))
                } catch {
                    guard isLenient else { throw error }
                }
            case .seconds, .date:
                do throws(CountersignError) {
                    let duration =
                        capture.kind == .date
                        ? try duration(until: text, in: reading.head.response) : try duration(text, or: capture.fallback)
                    values[capture.slot] = duration.map { .duration($0) }
                } catch  where capture.isOptional {
                    // What the server has given is not lost for a lifetime that cannot be read.
                }
            case .moment:
                guard let date = Timestamp.date(from: text), abs(date.timeIntervalSince1970) < Self.endOfYears else {
                    throw unusable("is no date")
                }
                values[capture.slot] = .date(date)
            case .clock:
                guard let date = Timestamp.date(from: text) else { throw unusable("is no date") }
                let offset = date.timeIntervalSince(Date())
                // What is signed for a far day would be good on that day.
                guard abs(offset) < 7 * 86_400 else { throw unusable("is a time more than a week off") }
                values[capture.slot] = .duration(.seconds(offset))
            case .texts, .json, .element, .flag, .truth: break
            }
        }
        return values
    }

    /// The end of the year 9999, in seconds since 1970: what is later has no date that could be written.
    private static var endOfYears: Double { 253_402_300_800 }

    private func unusable(_ reason: String) -> CountersignError {
        CountersignError(.unusableChallenge, detail: "a value that the server sent \(reason)")
    }

    /// The text that stands in base64 or base64url; `nil` if there is none, or one with control characters.
    private static func decoded(_ text: String) -> String? {
        var letters = text.replacing("-", with: "+").replacing("_", with: "/")
        while letters.last == "=" { letters.removeLast() }
        letters += String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        let decoded = Data(base64Encoded: letters).flatMap { String(validating: $0, as: UTF8.self) }
        return decoded.flatMap { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
    }

    /// A number of seconds; one that is zero or less says nothing.
    private func duration(_ text: String, or fallback: String?) throws(CountersignError) -> Duration? {
        guard let seconds = Double(text), seconds.isFinite else { throw unusable("is no number of seconds") }
        return TokenLifetime.duration(seconds: seconds)
            ?? fallback.flatMap(Double.init).flatMap { TokenLifetime.duration(seconds: $0) }
    }

    /// The time that is left until a date. It counts from the response's own `Date`, if it has one, so that the clocks need not agree; a date
    /// that has passed by then says nothing.
    private func duration(until text: String, in response: HTTPResponse) throws(CountersignError) -> Duration? {
        guard let date = Timestamp.date(from: text) else { throw unusable("is no date") }
        let origin = response.headerFields[.date].flatMap { CookieDate.date(from: $0[...]) } ?? Date()
        return TokenLifetime.duration(seconds: date.timeIntervalSince(origin))
    }

    /// An address that a server sent, if it is one that may be asked.
    private func url(_ text: String, within places: [ChallengePattern.Capture.Place], from base: URL) throws(CountersignError)
        -> URL
    {
        guard let url = URL(string: text), url.user == nil, url.password == nil, url.fragment == nil, let origin = Origin(url)
        else {
            throw CountersignError(.addressRefused, detail: "the server names an address that is none, or has a user or a fragment")
        }
        guard origin.isPrivate else {
            throw CountersignError(.addressRefused, detail: "the server names \(origin), where a login would be sent unencrypted")
        }
        let isAllowed = places.contains { place in
            switch place {
            case .response: Origin(base) == origin
            case .slot(let slot): parameters[slot].origins.origins?.contains(origin) ?? false
            }
        }
        guard isAllowed else {
            throw CountersignError(
                .addressRefused, detail: "the server names \(origin), which is none of the origins that are allowed")
        }
        return url
    }

    /// Whether a value is a text, or of a list any item.
    private func isThere(_ wanted: String, _ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool {
        guard case .json(let pointers) = capture.source else { return text(capture, &reading) == wanted }
        return pointers.contains { reading.json()?.values(at: $0).contains { $0.text == wanted } == true }
    }

    /// A truth value of JSON; `nil` for anything else, also for a text that reads like one.
    private func truth(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool? {
        guard case .json(let pointers) = capture.source, let tree = reading.json(),
            case .scalar(let word)? = pointers.lazy.compactMap({ tree[$0] }).first
        else { return nil }
        return Bool(word)
    }

    /// The texts of a list, or the one that there is; empty ones do not count.
    private func texts(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> [String] {
        var texts = [text(capture, &reading)].compactMap(\.self)
        if case .json(let pointers) = capture.source, let tree = reading.json() {
            texts = pointers.lazy.compactMap { tree[$0]?.texts }.first ?? []
        }
        return texts.filter { !$0.isEmpty }
    }

    /// An element as it was written.
    private func element(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> String? {
        guard case .xml(let path) = capture.source else { return nil }
        return reading.xml()?.element(at: path)
    }

    /// Where a field is there several times, the first counts.
    private func text(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> String? {
        switch capture.source {
        case .header(let name):
            return HTTPField.Name(name).flatMap { reading.head.response.headerFields[values: $0].first }
        case .parameter(let name):
            for scheme in schemes {
                for challenge in reading.head.challenges(in: scheme.field) where scheme.matches(challenge) {
                    if let value = challenge[name] { return value }
                }
            }
            return nil
        case .json(let pointers):
            guard let tree = reading.json() else { return nil }
            return pointers.lazy.compactMap { tree[$0]?.text }.first { !$0.isEmpty }
        case .cookie(let name): return reading.cookies()[name]
        case .query(let name): return reading.query[name]
        case .xml(let path): return reading.xml()?[path]
        case .input(let name): return name.text(parameters).flatMap { reading.inputs()[$0] }
        case .body: return reading.whole()
        }
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
    /// Whether the head of a response fits one that compares nothing else.
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

    /// Where it is, as an error says it.
    fileprivate var place: String {
        switch self {
        case .header(let name), .parameter(let name), .cookie(let name), .query(let name): name
        case .json(let pointers): pointers.first ?? ""
        case .xml(let path): path
        case .input: "input"
        case .body: "body"
        }
    }

    /// More of a value than this is not what any server is known to send, in bytes. Hidden inputs carry the state of whole pages, and tokens
    /// all groups of a user.
    fileprivate var longestValue: Int {
        switch self {
        case .header, .parameter, .cookie: 4096
        // The URL has been measured.
        case .query: OAuth2AuthorizationResponse.maximumLength
        case .input, .json, .xml, .body: 65_536
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
    /// The pattern with values filled in; `nil` if it needs one that is absent.
    func description(_ values: [ProgramValue]) -> MethodDescription.Challenge? {
        var fields: [MethodDescription.Field] = []
        for header in headers {
            guard let (name, match) = header.condition(values) else { return nil }
            fields.append(MethodDescription.Field(name: name, match: match))
        }
        var descriptions: [MethodDescription.Scheme] = []
        for scheme in schemes {
            var parameters: [MethodDescription.Parameter] = []
            for parameter in scheme.parameters {
                guard let (name, match) = parameter.condition(values) else { return nil }
                parameters.append(MethodDescription.Parameter(name: name, match: match))
            }
            descriptions.append(MethodDescription.Scheme(field: scheme.field, name: scheme.name, parameters: parameters))
        }
        var body: String?
        if case .contains(let template)? = text { body = template.text(values) }
        return MethodDescription.Challenge(
            name: name, statuses: statuses, fields: fields, schemes: descriptions, body: body,
            isRefusedConnection: isRefusedConnection)
    }
}

extension ChallengePattern.Named {
    /// The name and what is compared with, filled in; `nil` if a value is absent.
    func condition(_ values: [ProgramValue]) -> (name: String, match: MethodDescription.Match)? {
        guard let name = name.text(values), let match = match.description(values) else { return nil }
        return (name, match)
    }
}

extension ChallengePattern.Match {
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Match? {
        switch self {
        case .present: .present
        case .equals(let template): template.text(values).map { .equals($0) }
        case .prefix(let template): template.text(values).map { .prefix($0) }
        case .contains(let template): template.text(values).map { .contains($0) }
        case .anyCase(let template): template.text(values).map { .anyCase($0) }
        }
    }
}
