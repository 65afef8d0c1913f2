internal import HTTPTypes

/// The challenge patterns of a method with its parameters. They recognise challenges and capture their values.
///
/// A response is parsed once: the values are captured from the reading that recognised the challenge.
struct MethodChallenges: Sendable {
    private let patterns: [CompiledChallenge]
    /// The status codes of the challenges; `nil` if a challenge may have any. They exclude most other responses.
    private let statuses: [Int]?
    /// Whether any challenge is recognised by its body.
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

    /// The name of the challenge for a refused connection; `nil` if the method has none.
    var refusal: String? { patterns.first(where: \.signature.isRefusedConnection)?.signature.name }

    /// Whether the response's body is needed to recognise a challenge.
    func needBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        var reading = ResponseReading(response, in: exchange)
        return patterns.contains { $0.needsBody(of: &reading) }
    }

    /// Returns the challenge in a response; `nil` if the response is not a challenge.
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

    /// Returns the reading of a challenge.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge``, ``CountersignError/Code/addressRefused``.
    func reading(of challenge: RecognisedChallenge) throws(CountersignError) -> ChallengeReading {
        var reading = challenge.response
        guard let pattern = challenge.pattern ?? patterns.first(where: { $0.hasAll(of: &reading) }) else {
            throw CountersignError(
                .unusableChallenge,
                detail: "the application treats a response as a challenge, but it lacks values that the method requires")
        }
        let values = try pattern.values(&reading)
        let response = reading.head.response
        guard usesDigest else {
            return ChallengeReading(name: challenge.name, values: values, digest: nil, response: response)
        }
        guard let digest = DigestChallenge.strongest(reading.head.challenges(in: .wwwAuthenticate)) else {
            throw CountersignError(
                .unusableChallenge,
                detail: "the challenge '\(challenge.name)' offers no Digest with MD5 or SHA-256, with qop=auth and with a nonce")
        }
        return ChallengeReading(name: challenge.name, values: values, digest: digest, response: response)
    }
}

/// A recognised challenge, with the reading of its response.
struct RecognisedChallenge {
    let name: String
    /// The matching pattern; `nil` if the application recognises challenges itself.
    let pattern: CompiledChallenge?
    let response: ResponseReading
}
