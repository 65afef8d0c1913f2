#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// A challenge pattern with the values of the parameters filled in. It is compared with responses, and reads the captured values
/// from them. A class, because every response is compared with it and a copy takes longer than most comparisons.
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
            query.allSatisfy({ name, match in reading.query[nonempty: name].map(match.matches) ?? false })
        else { return false }
        return hasAll(of: &reading)
    }

    /// Whether a response contains every required capture. Nothing else is compared.
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
        case .text, .decoded, .url, .duration, .date, .moment, .clock: text(capture, &reading)?.isEmpty == false
        }
    }

    /// Returns the reason, for an error, why a response with a matching head does not match as a whole.
    func lack(of reading: inout ResponseReading) -> String {
        let needsJSON = !json.isEmpty || captures.contains { if case .json = $0.source { true } else { false } }
        if needsJSON, reading.json() == nil { return "the response is not JSON" }
        if let wrong = json.first(where: { pointer, match in
            let values = reading.json()?.values(at: pointer) ?? []
            return !values.isEmpty && match != .present && !values.contains { $0.text.map(match.matches) == true }
        }) {
            return "the response has an unexpected value at '\(wrong.pointer)'"
        }
        if let absent = json.first(where: { reading.json()?.values(at: $0.pointer).isEmpty != false }) {
            return "the response has no value at '\(absent.pointer)'"
        }
        if let wrong = xml.first(where: { !matches($0, &reading) }) {
            guard let tree = reading.xml() else { return "the response is not XML, or has a document type" }
            return tree[wrong.path] == nil
                ? "the response has no value at '\(wrong.path)'" : "the response has an unexpected text at '\(wrong.path)'"
        }
        let missing = captures.first { !$0.isOptional && $0.fallback == nil && !has($0, &reading) }
        return missing.map { "the response has no text at '\($0.source.place)'" }
            ?? "the spec does not describe the server's response"
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

    /// Returns the captured values of a response, by slot.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge`` for a value that is too long, has control characters, or is not of
    ///   its kind; ``CountersignError/Code/addressRefused`` for a URL that is invalid or outside of the allowed origins.
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
            case .text, .decoded, .url, .duration, .date, .moment, .clock: break
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
                    throw unusable("is not Base64-encoded text")
                }
            case .url(let places, let isLenient):
                do throws(CountersignError) {
                    values[capture.slot] = .url(try url(text, within: places, from: reading.head.url))
                } catch {
                    guard isLenient else { throw error }
                }
            // An unreadable optional lifetime must not make the other captured values unusable.
            case .duration(let unit):
                do throws(CountersignError) {
                    let duration = try duration(text, of: unit, or: capture.fallback)
                    values[capture.slot] = duration.map { .duration($0) }
                } catch  where capture.isOptional {}
            case .date:
                do throws(CountersignError) {
                    let duration = try duration(until: text, in: reading.head.response)
                    values[capture.slot] = duration.map { .duration($0) }
                } catch  where capture.isOptional {}
            case .moment:
                guard let date = Timestamp.date(from: text), abs(date.timeIntervalSince1970) < Self.endOfYears else {
                    throw unusable("is not a date")
                }
                values[capture.slot] = .date(date)
            case .clock:
                guard let date = Timestamp.date(from: text) else { throw unusable("is not a date") }
                let offset = date.timeIntervalSince(Date())
                // A request that is signed for a distant time could be replayed at that time.
                guard abs(offset) < 7 * 86_400 else { throw unusable("is a time more than a week away") }
                values[capture.slot] = .duration(.seconds(offset))
            case .texts, .json, .element, .flag, .truth: break
            }
        }
        return values
    }

    /// The end of the year 9999 in seconds since 1970. Later dates cannot be written with a four-digit year.
    private static var endOfYears: Double { 253_402_300_800 }

    private func unusable(_ reason: String) -> CountersignError {
        CountersignError(.unusableChallenge, detail: "a value that the server sent \(reason)")
    }

    /// Decodes a text from Base64 or Base64url; `nil` if it is invalid or contains control characters.
    private static func decoded(_ text: String) -> String? {
        var letters = text.replacing("-", with: "+").replacing("_", with: "/")
        while letters.last == "=" { letters.removeLast() }
        letters += String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        let decoded = Data(base64Encoded: letters).flatMap { String(validating: $0, as: UTF8.self) }
        return decoded.flatMap { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
    }

    /// Parses a number of units. For zero or less, the fallback is returned; `nil` if there is none.
    private func duration(_ text: String, of unit: Duration, or fallback: String?) throws(CountersignError) -> Duration? {
        guard let number = Double(text), number.isFinite else { throw unusable("is not a number of units of time") }
        let length = unit / .seconds(1)
        return TokenLifetime.duration(seconds: number * length)
            ?? fallback.flatMap(Double.init).flatMap { TokenLifetime.duration(seconds: $0 * length) }
    }

    /// Returns the remaining time until a date; `nil` if the date has passed. It counts from the response's own `Date`, if it has
    /// one, so that the clocks need not agree.
    private func duration(until text: String, in response: HTTPResponse) throws(CountersignError) -> Duration? {
        guard let date = Timestamp.date(from: text) else { throw unusable("is not a date") }
        let origin = response.headerFields[.date].flatMap { CookieDate.date(from: $0[...]) } ?? Date()
        return TokenLifetime.duration(seconds: date.timeIntervalSince(origin))
    }

    /// Parses a URL that a server sent, and checks that requests may be sent to it.
    private func url(_ text: String, within places: [ChallengePattern.Capture.Place], from base: URL) throws(CountersignError)
        -> URL
    {
        guard let url = URL(string: text), url.user == nil, url.password == nil, url.fragment == nil, let origin = Origin(url)
        else {
            throw CountersignError(
                .addressRefused, detail: "the server names an invalid URL, or one with a user name or a fragment")
        }
        guard origin.isPrivate else {
            throw CountersignError(.addressRefused, detail: "the server names \(origin), where a login would be sent unencrypted")
        }
        let isAllowed = places.contains { place in
            switch place {
            case .response: Origin(base) == origin
            case .slot(let slot): parameters[slot].origins.mayBeNamed(origin, by: base)
            }
        }
        guard isAllowed else {
            throw CountersignError(
                .addressRefused, detail: "the server names \(origin), which is not one of the allowed origins")
        }
        return url
    }

    /// Whether the captured value, or any item of a captured list, equals a text.
    private func isThere(_ wanted: String, _ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool {
        guard case .json(let pointers) = capture.source else { return text(capture, &reading) == wanted }
        return pointers.contains { reading.json()?.values(at: $0).contains { $0.text == wanted } == true }
    }

    /// Returns a JSON Boolean; `nil` for any other value, including a text such as `"true"`.
    private func truth(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool? {
        guard case .json(let pointers) = capture.source, let tree = reading.json(),
            case .scalar(let word)? = pointers.lazy.compactMap({ tree[$0] }).first
        else { return nil }
        return Bool(word)
    }

    /// Returns the nonempty texts of a list, or a single nonempty text.
    private func texts(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> [String] {
        var texts = [text(capture, &reading)].compactMap(\.self)
        if case .json(let pointers) = capture.source, let tree = reading.json() {
            texts = pointers.lazy.compactMap { tree[$0]?.texts }.first ?? []
        }
        return texts.filter { !$0.isEmpty }
    }

    /// Returns an XML element as it was sent.
    private func element(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> String? {
        guard case .xml(let path) = capture.source else { return nil }
        return reading.xml()?.element(at: path)
    }

    /// Returns the captured text. If a header field is repeated, its first value is used.
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

    /// The maximum length of a value in bytes, above anything that servers are known to send. Hidden inputs carry the state of
    /// whole pages, and tokens list all groups of a user.
    fileprivate var longestValue: Int {
        switch self {
        case .header, .parameter, .cookie: 4096
        // The length of the URL has been checked before.
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
    /// Returns the pattern with values filled in; `nil` if it uses an absent value.
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
    /// Returns the name and the comparison with values filled in; `nil` if a value is absent.
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
