#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The signature of a challenge in the head of a response, with its parameters filled in and its field names validated. It is
/// created once and compared with every response.
struct CompiledSignature: Sendable {
    /// A condition on a header field.
    struct Condition: Sendable {
        let name: HTTPField.Name
        let match: MethodDescription.Match
    }

    /// The signature's name in the spec.
    let name: String
    /// The statuses of such responses; empty for any.
    let statuses: [Int]
    private let conditions: [Condition]
    private let schemes: [MethodDescription.Scheme]
    /// Whether the challenge is a connection that the server refuses, which no response matches.
    let isRefusedConnection: Bool
    /// The reason, for the log, why the signature can never match; `nil` if it can.
    let defect: String?

    /// - Parameter isPart: Whether other parts of the response are compared too, so that the signature may match any head.
    init(_ challenge: MethodDescription.Challenge, isPart: Bool = false) {
        name = challenge.name
        statuses = challenge.statuses
        var conditions: [Condition] = []
        var defect: String?
        for field in challenge.fields {
            guard let name = HTTPField.Name(field.name) else {
                defect = "'\(field.name)' is not a valid header field name"
                continue
            }
            conditions.append(Condition(name: name, match: field.match.trimmed))
        }
        for name in challenge.schemes.flatMap({ [$0.name] + $0.parameters.map(\.name) }) where HTTPField.Name(name) == nil {
            // The names of fields, schemes and parameters have the same syntax: they are tokens.
            defect = "'\(name)' is not a valid name of a scheme or parameter"
        }
        if challenge.statuses.isEmpty, challenge.fields.allSatisfy({ $0.match == .absent }), challenge.schemes.isEmpty,
            !challenge.isRefusedConnection, !isPart
        {
            defect = "it has neither a status nor a required field nor a scheme"
        }
        self.conditions = conditions
        schemes = challenge.schemes
        isRefusedConnection = challenge.isRefusedConnection
        self.defect = defect
    }

    /// Whether the head of a response is such a challenge. Cheap comparisons are made first.
    func matches(_ head: inout ChallengedHead) -> Bool {
        guard defect == nil, !isRefusedConnection, statuses.isEmpty || statuses.contains(head.response.status.code),
            conditions.allSatisfy({ $0.matches(head) })
        else { return false }
        for scheme in schemes {
            guard head.challenges(in: scheme.field).contains(where: scheme.matches) else { return false }
        }
        return true
    }
}

extension MethodDescription.Scheme {
    /// Whether a challenge of a server has this scheme and these parameters.
    func matches(_ challenge: AuthenticationChallenge) -> Bool {
        challenge.hasScheme(name)
            && parameters.allSatisfy { $0.match.holds(for: challenge[$0.name]) }
    }
}

extension CompiledSignature.Condition {
    /// Whether one of the fields of this name matches, or none exists if it must be absent. A repeated field is compared line by
    /// line.
    fileprivate func matches(_ head: ChallengedHead) -> Bool {
        let fields = head.response.headerFields
        guard fields.contains(name) else { return match.holds(for: nil) }
        return fields[values: name].contains { matches($0.trimmed, in: head) }
    }

    private func matches(_ value: String, in head: ChallengedHead) -> Bool {
        guard case .prefix(let text) = match, name == .location else { return match.matches(value) }
        return LocationPrefix(text, relativeTo: head.url)?.matches(value) ?? false
    }
}

extension MethodDescription.Match {
    /// Whether a value, which can be absent, matches.
    func holds(for value: String?) -> Bool {
        guard let value else { return if case .absent = self { true } else { false } }
        return matches(value)
    }

    /// Whether a value matches, compared as text.
    func matches(_ value: String) -> Bool {
        switch self {
        case .present: true
        case .absent: false
        case .equals(let text): value == text
        case .prefix(let text): value.hasPrefix(text)
        case .contains(let text): value.contains(text)
        case .anyCase(let text): value.utf8.elementsEqual(text.utf8) { $0.asciiLowercase == $1.asciiLowercase }
        }
    }

    fileprivate var trimmed: Self {
        switch self {
        case .present: .present
        case .absent: .absent
        case .equals(let text): .equals(text.trimmed)
        case .prefix(let text): .prefix(text.trimmed)
        case .contains(let text): .contains(text)
        case .anyCase(let text): .anyCase(text.trimmed)
        }
    }
}

extension String {
    /// The text without white space (RFC 9110, section 5.6.3) at its ends.
    fileprivate var trimmed: String {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        guard first.map(isSpace) == true || last.map(isSpace) == true else { return self }
        var rest = self[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}

extension UInt8 {
    /// The byte, in lower case if it is an ASCII letter.
    var asciiLowercase: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
