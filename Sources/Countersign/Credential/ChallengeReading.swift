internal import HTTPTypes

/// A challenge with its captured values. A class, since every request that waits for an authentication holds one.
final class ChallengeReading: Sendable {
    /// The name of the challenge pattern.
    let name: String
    /// The captured values, by slot.
    let values: [Int: ProgramValue]
    /// The challenge of the Digest scheme, if the method uses it.
    let digest: DigestChallenge?
    /// The head of the response; `nil` if the connection was refused, or if there is no challenge.
    let response: HTTPResponse?

    init(name: String, values: [Int: ProgramValue], digest: DigestChallenge?, response: HTTPResponse? = nil) {
        self.name = name
        self.values = values
        self.digest = digest
        self.response = response
    }

    /// Creates the reading of a refused connection, which has no values.
    convenience init(refusal name: String) { self.init(name: name, values: [:], digest: nil) }
}

extension ChallengeReading {
    /// An empty reading, for a credential that is obtained without a challenge.
    static var none: ChallengeReading { ChallengeReading(name: "", values: [:], digest: nil) }
}
