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
        let filling = TemplateFilling(program: program, given: given)
        var parts = DescribedParts(pattern, filling)
        let required = Set(parts.cookies.keys)
        for capture in pattern.captures {
            let isOptional = capture.isOptional || capture.fallback != nil
            if withOptional || !isOptional || program.isSentUnasked(capture) {
                let value = Self.stated(capture, by: pattern, filling) ?? Self.value(of: capture, in: program)
                note(value.text, for: capture)
                parts.write(value, of: capture, filling, or: Self.decoy(of: capture, in: program))
            } else if let text = parts.text(at: capture.source) ?? capture.fallback {
                // A condition can be on the same value.
                note(text, for: capture)
            }
        }
        query = parts.query
        write(parts, requiring: required)
    }

    /// Notes that a slot has a value from this response.
    private mutating func note(_ text: String, for capture: ChallengePattern.Capture) {
        sent.insert(capture.slot)
        if capture.kind.isText { values[capture.slot] = text }
    }

    /// Writes the parts to the response.
    ///
    /// - Parameter required: The names of the cookies that the pattern requires.
    private mutating func write(_ parts: DescribedParts, requiring required: Set<String>) {
        for (scheme, parameters) in parts.schemes {
            if scheme.isDigest, let nonce = parameters["nonce"] { nonces.insert(nonce) }
            let challenge = AuthenticationChallenge(scheme: scheme.name, parameters: parameters)
            response.fields.append(HTTPField(name: scheme.field.name, value: challenge.fieldValue))
        }
        if let (type, body) = parts.body.encoded {
            response.fields[.contentType] = type
            response.body = Array(body.utf8)
        }
        for (name, value) in parts.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { response.fields[name] = value }
        }
        // Not even a field that the mock adds to all responses.
        for name in parts.absentFields.compactMap({ HTTPField.Name($0) }) { response.fields[name] = nil }
        for (name, value) in parts.cookies.sorted(by: { $0.key < $1.key }) {
            response = response.settingCookie(name, to: value)
            if required.contains(name) { cookies.insert("\(name)=\(value)") }
        }
    }

    // MARK: Values

    /// Returns the value of a capture from a JSON body that the pattern compares at the same place; `nil` if it compares none there.
    private static func stated(
        _ capture: ChallengePattern.Capture, by pattern: ChallengePattern, _ filling: TemplateFilling
    ) -> DescribedParts.Value? {
        guard case .text = capture.kind, capture.items.isEmpty, case .json(let pointers) = capture.source,
            let condition = pattern.json.first(where: { $0.name.literal == pointers.first }), condition.match != .absent,
            !condition.match.isFree
        else { return nil }
        let text = filling.text(condition.match)
        return (text, text, .text(text))
    }

    private static func value(of capture: ChallengePattern.Capture, in program: DescribedProgram) -> DescribedParts.Value {
        let slot = program.program.slots[capture.slot]
        let token = program.formedText(of: capture.slot) ?? "\(slot.name)-\(Token.make())"
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
}

extension DescribedProgram {
    /// Whether an optional value is sent.
    fileprivate func isSentUnasked(_ capture: ChallengePattern.Capture) -> Bool {
        if case .url = capture.kind { return true }
        return program.slots[capture.slot].isSecret
    }
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
