internal import Synchronization

/// What the next send of an exchange carries, whose challenge was answered: the credential of the space that challenged, wherever other
/// challenges have moved its folder meanwhile.
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

    private let answers = Mutex<[(manager: ObjectIdentifier, answer: Answer)]>([])

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
