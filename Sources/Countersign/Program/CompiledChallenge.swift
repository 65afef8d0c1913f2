#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A pattern with the values of parameters filled in: compares responses, and reads what they say.
struct CompiledChallenge: Sendable {
    /// More of a value than this is not what any server is known to send, in bytes.
    private static var longestValue: Int { 4096 }

    let signature: CompiledSignature
    private let captures: [ChallengePattern.Capture]
    private let schemes: [MethodDescription.Scheme]
    private let parameters: [ProgramValue]

    /// - Parameter values: The values by slot.
    /// - Returns: `nil` if the pattern needs a value that is absent, so that nothing fits it.
    init?(_ pattern: ChallengePattern, _ values: [ProgramValue]) {
        guard let description = pattern.description(values) else { return nil }
        signature = CompiledSignature(description)
        captures = pattern.captures
        schemes = description.schemes
        parameters = values
    }

    /// Whether a response fits and has what is captured.
    func matches(_ reading: inout ResponseReading) -> Bool {
        guard signature.matches(&reading.head) else { return false }
        return captures.allSatisfy { $0.isOptional || $0.fallback != nil || text($0, &reading)?.isEmpty == false }
    }

    /// What a response says, by slot.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge`` for a value that is too long, has control characters, or is no value of its
    ///   kind; ``CountersignError/Code/addressRefused`` for an address that is not where it may be.
    func values(_ reading: inout ResponseReading) throws(CountersignError) -> [Int: ProgramValue] {
        var values: [Int: ProgramValue] = [:]
        for capture in captures {
            let found = text(capture, &reading)
            guard let text = found?.isEmpty == false ? found : capture.fallback else { continue }
            guard text.utf8.count <= Self.longestValue else {
                throw unusable("has \(text.utf8.count) bytes; \(Self.longestValue) is the limit")
            }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw unusable("has a control character") }
            switch capture.kind {
            case .text: values[capture.slot] = .text(text)
            case .url(let places): values[capture.slot] = .url(try url(text, within: places, from: reading.head.url))
            case .seconds: values[capture.slot] = try duration(text, or: capture.fallback).map { .duration($0) }
            case .date: values[capture.slot] = try duration(until: text, in: reading.head.response).map { .duration($0) }
            }
        }
        return values
    }

    private func unusable(_ reason: String) -> CountersignError {
        CountersignError(.unusableChallenge, detail: "a value that the server sent \(reason)")
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
            return pointers.lazy.compactMap { tree[$0]?.scalar }.first { !$0.isEmpty }
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
