#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A challenge signature with its parameters filled in and its field names checked, made once and asked for every response.
struct CompiledSignature: Sendable {
    /// One field, ready to compare.
    struct Condition: Sendable {
        let name: HTTPField.Name
        let match: MethodDescription.Match
    }

    /// The signature's name in the spec.
    let name: String
    private let statuses: [Int]
    private let conditions: [Condition]
    /// What keeps the signature from ever matching, for the log; `nil` if nothing does.
    let defect: String?

    init(_ challenge: MethodDescription.Challenge) {
        name = challenge.name
        statuses = challenge.statuses
        var conditions: [Condition] = []
        var defect: String?
        for field in challenge.fields {
            guard let name = HTTPField.Name(field.name) else {
                defect = "'\(field.name)' is not the name of a field"
                continue
            }
            conditions.append(Condition(name: name, match: field.match.trimmed))
        }
        if challenge.statuses.isEmpty, challenge.fields.isEmpty { defect = "it has neither a status nor a field" }
        self.conditions = conditions
        self.defect = defect
    }

    /// Whether a response that came from `url` is such a challenge.
    func matches(_ response: HTTPResponse, from url: URL) -> Bool {
        guard defect == nil, statuses.isEmpty || statuses.contains(response.status.code) else { return false }
        return conditions.allSatisfy { $0.matches(response.headerFields, from: url) }
    }
}

extension CompiledSignature.Condition {
    /// Whether one of the fields of this name agrees; a field that is there several times is compared line by line.
    fileprivate func matches(_ fields: HTTPFields, from url: URL) -> Bool {
        guard fields.contains(name) else { return false }
        return fields[values: name].contains { matches($0.trimmed, from: url) }
    }

    private func matches(_ value: String, from url: URL) -> Bool {
        switch match {
        case .present: true
        case .equals(let text): value == text
        case .contains(let text): value.contains(text)
        case .prefix(let text):
            name == .location ? LocationPrefix(text, relativeTo: url)?.matches(value) ?? false : value.hasPrefix(text)
        }
    }
}

extension MethodDescription.Match {
    fileprivate var trimmed: Self {
        switch self {
        case .present: .present
        case .equals(let text): .equals(text.trimmed)
        case .prefix(let text): .prefix(text.trimmed)
        case .contains(let text): .contains(text)
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
