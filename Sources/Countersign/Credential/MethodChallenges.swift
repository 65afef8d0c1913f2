internal import HTTPTypes

/// The challenges of a method, with its parameters filled in: tells them from other responses, and reads what they say.
///
/// A response is looked at once: what was read of it to recognise a challenge is what its values are taken from.
struct MethodChallenges: Sendable {
    private let patterns: [CompiledChallenge]
    /// The statuses of the challenges; `nil` if one may have any. Most responses are told from challenges by these alone.
    private let statuses: [Int]?
    /// Whether any challenge is recognised by a body.
    let compareBodies: Bool
    private let usesDigest: Bool

    init(_ method: PreparedProgram) {
        patterns = method.program.challenges.compactMap { CompiledChallenge($0, method.parameters) }
        let statuses = patterns.map(\.signature).filter { !$0.isRefusedConnection }.map(\.statuses)
        self.statuses = statuses.contains(where: \.isEmpty) ? nil : Array(statuses.joined())
        compareBodies = patterns.contains(where: \.comparesBody)
        usesDigest = method.usesDigest
    }

    /// Whether the method has no challenges.
    var isEmpty: Bool { patterns.isEmpty }

    /// The name of the challenge that is a refused connection, if the method has one.
    var refusal: String? { patterns.first(where: \.signature.isRefusedConnection)?.signature.name }

    /// Whether it depends on a response's body whether it is a challenge.
    func needBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        var reading = ResponseReading(response, in: exchange)
        return patterns.contains { $0.needsBody(of: &reading) }
    }

    /// The challenge that a response is; `nil` if it is none.
    ///
    /// - Parameter name: The only challenge to look for; `nil` for any.
    func recognised(
        _ response: HTTPResponse, in exchange: ExchangeContext, named name: String? = nil
    ) -> RecognisedChallenge? {
        guard statuses?.contains(response.status.code) ?? true else { return nil }
        var reading = ResponseReading(response, in: exchange)
        let found = patterns.first { (name == nil || $0.signature.name == name) && $0.matches(&reading) }
        return found.map { RecognisedChallenge(name: $0.signature.name, pattern: $0, response: reading) }
    }

    /// What a challenge says.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge``, ``CountersignError/Code/addressRefused``.
    func reading(of challenge: RecognisedChallenge) throws(CountersignError) -> ChallengeReading {
        var reading = challenge.response
        guard let pattern = challenge.pattern ?? patterns.first(where: { $0.hasAll(of: &reading) }) else {
            throw CountersignError(
                .unusableChallenge,
                detail: "the application takes a response for a challenge that lacks what the method needs of one")
        }
        let values = try pattern.values(&reading)
        let response = reading.head.response
        guard usesDigest else {
            return ChallengeReading(name: challenge.name, values: values, digest: nil, response: response)
        }
        guard let digest = DigestChallenge.strongest(reading.head.challenges(in: .wwwAuthenticate)) else {
            throw CountersignError(
                .unusableChallenge,
                detail: "the challenge '\(challenge.name)' has no Digest algorithm that is known here, or no nonce")
        }
        return ChallengeReading(name: challenge.name, values: values, digest: digest, response: response)
    }
}

/// A response that is a challenge, with what was read of it to see that.
struct RecognisedChallenge {
    let name: String
    /// The pattern that it fits; `nil` where the application recognises challenges itself.
    let pattern: CompiledChallenge?
    let response: ResponseReading
}
