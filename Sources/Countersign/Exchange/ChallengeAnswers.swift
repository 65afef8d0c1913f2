internal import Synchronization

/// What an exchange keeps of its latest challenge: what that says, from its recognition to its answer; then what the next send carries, the
/// credential of the space that challenged, wherever other challenges have moved its folder meanwhile.
///
/// The exchange owns it, so that nothing is left of an exchange that ends before its next send.
final class ChallengeAnswers: Sendable {
    /// An answered challenge.
    struct Answer {
        let space: ManagedCredential
        /// The server that challenged.
        let origin: Origin
        /// For a challenge with a nonce of its own: a server may take each only once.
        var signer: DigestSigner?
        /// The same for a proof.
        var nonce: String?
    }

    /// What a challenge says, or why that cannot be used.
    typealias Reading = Result<ChallengeReading, CountersignError>

    private let answers = Mutex<[(manager: ObjectIdentifier, answer: Answer)]>([])
    private let reading = Mutex<(manager: ObjectIdentifier, reading: Reading)?>(nil)

    /// Keeps what the challenge says that is about to be answered.
    func note(_ reading: Reading, for manager: CredentialManager) {
        self.reading.withLock { $0 = (ObjectIdentifier(manager), reading) }
    }

    /// Takes out what the challenge says; `nil` if the latest one was not of this manager.
    func takeReading(for manager: CredentialManager) -> Reading? {
        reading.withLock { reading in
            defer { reading = nil }
            return reading.flatMap { $0.manager == ObjectIdentifier(manager) ? $0.reading : nil }
        }
    }

    /// Keeps an answer until the next send.
    func note(_ answer: Answer, for manager: CredentialManager) {
        answers.withLock { answers in
            answers.removeAll { $0.manager == ObjectIdentifier(manager) }
            answers.append((ObjectIdentifier(manager), answer))
        }
    }

    /// Takes the answer out; `nil` if there is none.
    func take(for manager: CredentialManager) -> Answer? {
        answers.withLock { answers in
            answers.firstIndex { $0.manager == ObjectIdentifier(manager) }.map { answers.remove(at: $0).answer }
        }
    }
}
