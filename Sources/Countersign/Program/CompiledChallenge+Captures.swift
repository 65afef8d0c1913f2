#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

// The values that a challenge captures from a response.
extension CompiledChallenge {
    /// Whether a response contains every required capture. Nothing else is compared.
    func hasAll(of reading: inout ResponseReading) -> Bool {
        captures.allSatisfy { $0.isOptional || $0.fallback != nil || has($0, &reading) }
    }

    /// Whether a response contains the value of a capture.
    func has(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool {
        switch capture.kind {
        case .texts: !texts(capture, &reading).isEmpty
        case .json: reading.json() != nil
        case .flag(let wanted): isThere(wanted, capture, &reading)
        case .truth: truth(capture, &reading) != nil
        case .element: element(capture, &reading) != nil
        case .text, .decoded, .url, .duration, .date, .moment, .clock: text(capture, &reading)?.isEmpty == false
        }
    }

    /// Returns the captured values of a response, by slot.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge`` for a value that is too long, has control characters, or is not of
    ///   its kind; ``CountersignError/Code/addressRefused`` for a URL that is invalid or outside of the allowed origins.
    func values(_ reading: inout ResponseReading) throws(CountersignError) -> [Int: ProgramValue] {
        var values: [Int: ProgramValue] = [:]
        for capture in captures {
            if let value = try value(of: capture, &reading) { values[capture.slot] = value }
        }
        return values
    }

    /// Returns the value for a capture's slot; `nil` if the slot stays as it is.
    private func value(
        of capture: ChallengePattern.Capture, _ reading: inout ResponseReading
    ) throws(CountersignError) -> ProgramValue? {
        switch capture.kind {
        case .texts:
            let texts = texts(capture, &reading)
            return texts.isEmpty ? .absent : .texts(texts)
        case .json:
            let isJSON = reading.json() != nil && !reading.isForm
            return (isJSON ? reading.text() : reading.whole()).map { isJSON ? .json($0) : .text($0) } ?? .absent
        case .flag(let wanted): return .given(isThere(wanted, capture, &reading))
        case .truth: return .given(truth(capture, &reading) == true)
        case .element: return element(capture, &reading).map { .xml($0) } ?? .absent
        case .text: return try usableText(capture, &reading).map { .text($0) }
        case .decoded:
            guard let text = try usableText(capture, &reading) else { return nil }
            if let decoded = Self.decoded(text) { return .text(decoded) }
            guard capture.isOptional else { throw unusable("is not Base64-encoded text") }
            return nil
        case .url(let places, let isLenient):
            do throws(CountersignError) {
                return try urls(capture, within: places, &reading).first.map { .url($0) }
            } catch {
                guard isLenient else { throw error }
                return nil
            }
        case .duration, .date:
            guard let text = try usableText(capture, &reading) else { return nil }
            do throws(CountersignError) {
                let length =
                    if case .duration(let unit) = capture.kind {
                        try duration(text, of: unit, or: capture.fallback)
                    } else {
                        try duration(until: text, in: reading.head.response)
                    }
                return length.map { .duration($0) }
            } catch {
                // An unreadable optional lifetime must not make the other captured values unusable.
                guard capture.isOptional else { throw error }
                return nil
            }
        case .moment:
            guard let text = try usableText(capture, &reading) else { return nil }
            guard let date = Timestamp.date(from: text), abs(date.timeIntervalSince1970) < Self.endOfYears else {
                throw unusable("is not a date")
            }
            return .date(date)
        case .clock:
            guard let text = try usableText(capture, &reading) else { return nil }
            guard let date = Timestamp.date(from: text) else { throw unusable("is not a date") }
            let offset = date.timeIntervalSince(Date())
            // A request that is signed for a distant time could be replayed at that time.
            guard abs(offset) < 7 * 86_400 else { throw unusable("is a time more than a week away") }
            return .duration(.seconds(offset))
        }
    }

    /// Returns the captured text, or the default for an absent or empty one; `nil` if there is neither.
    private func usableText(
        _ capture: ChallengePattern.Capture, _ reading: inout ResponseReading
    ) throws(CountersignError) -> String? {
        let found = text(capture, &reading)
        guard let text = found?.isEmpty == false ? found : capture.fallback else { return nil }
        try check(text, of: capture)
        return text
    }

    private func check(_ text: String, of capture: ChallengePattern.Capture) throws(CountersignError) {
        let limit = capture.source.maximumLength
        guard text.utf8.count <= limit else {
            throw unusable("has \(text.utf8.count) bytes; \(limit) is the limit")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw unusable("has a control character") }
    }

    /// Returns the URLs of the captures that have several allowed ones, without the first, which is the captured value, by slot.
    func furtherURLs(_ reading: inout ResponseReading) -> [Int: [URL]] {
        var further: [Int: [URL]] = [:]
        for capture in captures {
            guard case .url(let places, _) = capture.kind, case .json = capture.source,
                let urls = try? urls(capture, within: places, &reading), urls.count > 1
            else { continue }
            further[capture.slot] = Array(urls.dropFirst())
        }
        return further
    }

    /// The maximum number of URLs of one capture, since a server can name any number.
    private static var maximumURLs: Int { 5 }

    /// Returns the first allowed URLs of a capture in order; empty if there is none. Only a JSON pointer with `*` can have several.
    ///
    /// - Throws: The error of the first URL, if none is allowed.
    private func urls(
        _ capture: ChallengePattern.Capture, within places: [ChallengePattern.Capture.Place], _ reading: inout ResponseReading
    ) throws(CountersignError) -> [URL] {
        var texts: [String] = []
        if case .json(let pointers) = capture.source, let tree = reading.json() {
            texts = pointers.lazy.map { self.texts(at: $0, in: tree, for: capture) }.first { !$0.isEmpty } ?? []
        }
        if texts.isEmpty { texts = [try usableText(capture, &reading)].compactMap(\.self) }
        var urls: [URL] = []
        var refusal: CountersignError?
        for text in texts where urls.count < Self.maximumURLs {
            do throws(CountersignError) {
                try check(text, of: capture)
                let url = try url(text, from: capture.source, within: places, of: reading.head.url)
                if !urls.contains(url) { urls.append(url) }
            } catch {
                refusal = refusal ?? error
            }
        }
        if urls.isEmpty, let refusal { throw refusal }
        return urls
    }

    /// The end of the year 9999 in seconds since 1970. Later dates cannot be written with a four-digit year.
    private static var endOfYears: Double { 253_402_300_800 }

    private func unusable(_ reason: String) -> CountersignError {
        CountersignError(.unusableChallenge, detail: "a value that the server sent \(reason)")
    }

    /// Decodes a text from Base64 or Base64url; `nil` if it is invalid or contains control characters.
    private static func decoded(_ text: String) -> String? {
        let decoded = Base64URL.lenientBytes(text).flatMap { String(validating: $0, as: UTF8.self) }
        return decoded.flatMap { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
    }

    /// Parses a number of units. For zero or less, the fallback is returned; `nil` if there is none. It is also returned for a text
    /// that is no number.
    private func duration(_ text: String, of unit: Duration, or fallback: String?) throws(CountersignError) -> Duration? {
        let number = Double(text).flatMap { $0.isFinite ? $0 : nil }
        guard number != nil || fallback != nil else { throw unusable("is not a number of units of time") }
        let length = unit / .seconds(1)
        return number.flatMap { TokenLifetime.duration(seconds: $0 * length) }
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
    private func url(
        _ text: String, from source: ChallengePattern.Capture.Source, within places: [ChallengePattern.Capture.Place], of base: URL
    ) throws(CountersignError) -> URL {
        // A header field such as `Location` can have a relative reference (RFC 9110, section 10.2.2).
        let isReference = if case .header = source { true } else { false }
        guard let url = URL(string: text, relativeTo: isReference ? base : nil)?.absoluteURL, url.user == nil,
            url.password == nil, url.fragment == nil, let origin = Origin(url)
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
        guard let tree = reading.json() else { return false }
        return pointers.contains { values(at: $0, in: tree, for: capture).contains { $0.text == wanted } }
    }

    /// Returns a JSON Boolean; `nil` for any other value, including a text such as `"true"`.
    private func truth(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> Bool? {
        guard case .json(let pointers) = capture.source, let tree = reading.json(),
            case .scalar(let word)? = pointers.lazy.compactMap({ self.values(at: $0, in: tree, for: capture).first }).first
        else { return nil }
        return Bool(word)
    }

    /// Returns the nonempty texts of a list, or a single nonempty text.
    private func texts(_ capture: ChallengePattern.Capture, _ reading: inout ResponseReading) -> [String] {
        var texts = [text(capture, &reading)].compactMap(\.self)
        if case .json(let pointers) = capture.source, let tree = reading.json() {
            texts = pointers.lazy.compactMap { self.values(at: $0, in: tree, for: capture).first?.texts }.first ?? []
        }
        return texts.filter { !$0.isEmpty }
    }

    /// Returns the values of a capture at one of its JSON pointers, in the items of lists that meet its conditions.
    private func values(at pointer: String, in tree: JSONTree, for capture: ChallengePattern.Capture) -> [JSONTree] {
        guard !capture.items.isEmpty else { return tree.values(at: pointer) }
        return capture.items.conditions(parameters).map { tree.values(at: pointer, where: $0) } ?? []
    }

    /// Returns the nonempty texts among the values of a capture.
    private func texts(at pointer: String, in tree: JSONTree, for capture: ChallengePattern.Capture) -> [String] {
        values(at: pointer, in: tree, for: capture).compactMap(\.text).filter { !$0.isEmpty }
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
            return pointers.lazy.compactMap { self.texts(at: $0, in: tree, for: capture).first }.first
        case .cookie(let name): return reading.cookies()[name]
        case .query(let name): return reading.query[name]
        case .xml(let path): return reading.xml()?[path]
        case .input(let name): return name.text(parameters).flatMap { reading.inputs()[$0] }
        case .body: return reading.whole()
        }
    }
}

extension JSONTree {
    /// Returns the values at a JSON pointer in the items of lists that meet conditions.
    ///
    /// - Parameter conditions: The conditions by JSON pointer. Each is on the innermost item that both pointers lead through, by the
    ///   same names up to a `*`.
    fileprivate func values(at pointer: String, where conditions: [CompiledChallenge.Condition]) -> [JSONTree] {
        // The pointers of the items, from the whole body to the item of the innermost list.
        var items = [""]
        var path = ""
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            path += "/\(step)"
            if step == "*" { items.append(path) }
        }
        var trees = [self]
        var place = ""
        for item in items {
            let step = String(item.dropFirst(place.count))
            let own = conditions.filter { condition in
                items.last { "\(condition.name)/".hasPrefix("\($0)/") } == item
            }
            trees = trees.flatMap { $0.values(at: step) }.filter { tree in
                own.allSatisfy { $0.match.holds(for: tree.values(at: String($0.name.dropFirst(item.count)))) }
            }
            place = item
        }
        return trees.flatMap { $0.values(at: String(pointer.dropFirst(place.count))) }
    }
}

extension ChallengePattern.Capture.Source {
    /// The maximum length of a value in bytes, above anything that servers are known to send. Hidden inputs carry the state of
    /// whole pages, and tokens list all groups of a user.
    fileprivate var maximumLength: Int {
        switch self {
        // A value that `update` takes from a response can also be captured by the steps.
        case .header, .parameter, .cookie: CredentialUpdate.maximumSize
        // The length of the URL has been checked before.
        case .query: OAuth2AuthorizationResponse.maximumLength
        case .input, .json, .xml, .body: 65_536
        }
    }
}
