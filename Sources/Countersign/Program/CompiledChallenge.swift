#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A challenge pattern with the values of parameters filled in: compares responses, and reads what they say.
struct CompiledChallenge: Sendable {
    /// More of a value than this is not what any server is known to send, in bytes.
    private static var longestValue: Int { 4096 }

    let signature: CompiledSignature
    private let captures: [ChallengePattern.Capture]
    private let schemes: [MethodDescription.Scheme]

    /// - Parameter values: The parameters by slot.
    /// - Returns: `nil` if the pattern needs a value that is absent, so that nothing fits it.
    init?(_ pattern: ChallengePattern, _ values: [ProgramValue]) {
        guard let description = pattern.description(values) else { return nil }
        signature = CompiledSignature(description)
        captures = pattern.captures
        schemes = description.schemes
    }

    /// Whether a response is such a challenge and has what is captured.
    func matches(_ head: inout ChallengedHead) -> Bool {
        guard signature.matches(&head) else { return false }
        return captures.allSatisfy { $0.isOptional || $0.fallback != nil || text($0, &head)?.isEmpty == false }
    }

    /// What a challenge says, by slot.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge`` for a value that is too long, or has control characters.
    func values(_ head: inout ChallengedHead) throws(CountersignError) -> [Int: ProgramValue] {
        var values: [Int: ProgramValue] = [:]
        for capture in captures {
            let found = text(capture, &head)
            guard let text = found?.isEmpty == false ? found : capture.fallback else { continue }
            guard text.utf8.count <= Self.longestValue else {
                throw CountersignError(
                    .unusableChallenge,
                    detail:
                        "a value of the challenge '\(signature.name)' has \(text.utf8.count) bytes; \(Self.longestValue) is the limit"
                )
            }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw CountersignError(
                    .unusableChallenge, detail: "a value of the challenge '\(signature.name)' has a control character")
            }
            values[capture.slot] = .text(text)
        }
        return values
    }

    /// Where a field is there several times, the first counts.
    private func text(_ capture: ChallengePattern.Capture, _ head: inout ChallengedHead) -> String? {
        switch capture.source {
        case .header(let name):
            return HTTPField.Name(name).flatMap { head.response.headerFields[values: $0].first }
        case .parameter(let name):
            for scheme in schemes {
                for challenge in head.challenges(in: scheme.field) where scheme.matches(challenge) {
                    if let value = challenge[name] { return value }
                }
            }
            return nil
        }
    }
}

extension ChallengePattern {
    /// The pattern with values filled in; `nil` if it needs one that is absent.
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Challenge? {
        var fields: [MethodDescription.Field] = []
        for header in headers {
            guard let match = header.match.description(values) else { return nil }
            fields.append(MethodDescription.Field(name: header.name, match: match))
        }
        var descriptions: [MethodDescription.Scheme] = []
        for scheme in schemes {
            var parameters: [MethodDescription.Parameter] = []
            for parameter in scheme.parameters {
                guard let match = parameter.match.description(values) else { return nil }
                parameters.append(MethodDescription.Parameter(name: parameter.name, match: match))
            }
            descriptions.append(MethodDescription.Scheme(field: scheme.field, name: scheme.name, parameters: parameters))
        }
        return MethodDescription.Challenge(name: name, statuses: statuses, fields: fields, schemes: descriptions)
    }
}

extension ChallengePattern.Match {
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Match? {
        switch self {
        case .present: .present
        case .equals(let template): template.text(values).map { .equals($0) }
        case .prefix(let template): template.text(values).map { .prefix($0) }
        case .contains(let template): template.text(values).map { .contains($0) }
        }
    }
}
