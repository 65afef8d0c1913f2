internal import Synchronization

/// The state of an exchange's latest challenge: its reading, from the recognition to the answer, then the answer, until the next
/// send. An answer refers to the space that was challenged, even if other challenges have assigned its folder to another space
/// meanwhile.
///
/// The exchange owns it, so that nothing remains if the exchange ends before its next send.
final class ChallengeAnswers: Sendable {
    /// An answered challenge.
    struct Answer {
        let space: ManagedCredential
        /// The origin that sent the challenge.
        let origin: Origin
        /// The signer for a challenge with its own nonce, since a server may accept each nonce only once.
        var signer: DigestSigner?
        /// The nonce for a proof, likewise.
        var nonce: String?
    }

    /// The reading of a challenge, or the reason why the challenge is unusable.
    typealias Reading = Result<ChallengeReading, CountersignError>

    private let answers = Mutex<[(manager: ObjectIdentifier, answer: Answer)]>([])
    private let reading = Mutex<(manager: ObjectIdentifier, reading: Reading)?>(nil)
    /// The revisions of the credentials that the latest send carried, and whether a challenge to an outdated one was answered.
    private let revisions = Mutex<[(manager: ObjectIdentifier, revision: Int, wasOutdated: Bool)]>([])
    /// The spaces of this exchange alone.
    private let spaces = Mutex<[(manager: CredentialManager, place: ProtectionSpace)]>([])

    deinit { endSpaces() }

    /// Ends the credentials of this exchange alone. After a redirect, the request is another one.
    func endSpaces() {
        let ended = spaces.withLock { spaces in
            defer { spaces = [] }
            return spaces
        }
        for (manager, place) in ended { manager.remove(place) }
    }

    /// Keeps a space until the end of the exchange, which alone uses it.
    func own(_ place: ProtectionSpace, of manager: CredentialManager) {
        spaces.withLock { spaces in
            guard !spaces.contains(where: { $0.manager === manager && $0.place == place }) else { return }
            spaces.append((manager, place))
        }
    }

    /// Keeps the reading of a challenge that is about to be answered.
    func note(_ reading: Reading, for manager: CredentialManager) {
        self.reading.withLock { $0 = (ObjectIdentifier(manager), reading) }
    }

    /// Removes and returns the reading; `nil` if the latest challenge was not for this manager.
    func takeReading(for manager: CredentialManager) -> Reading? {
        reading.withLock { reading in
            defer { reading = nil }
            return reading.flatMap { $0.manager == ObjectIdentifier(manager) ? $0.reading : nil }
        }
    }

    /// Records the revision of a credential that is about to be sent.
    func note(revision: Int, for manager: CredentialManager) {
        revisions.withLock { revisions in
            if let index = revisions.firstIndex(where: { $0.manager == ObjectIdentifier(manager) }) {
                revisions[index].revision = revision
            } else {
                revisions.append((ObjectIdentifier(manager), revision, false))
            }
        }
    }

    /// Returns the revision of the credential that the latest send carried; `nil` if there is none, or if a challenge to an
    /// outdated one was answered before.
    func revision(for manager: CredentialManager) -> Int? {
        revisions.withLock { revisions in
            revisions.first { $0.manager == ObjectIdentifier(manager) && !$0.wasOutdated }?.revision
        }
    }

    /// Records that a challenge to an outdated credential is answered by the current one.
    func noteOutdated(for manager: CredentialManager) {
        revisions.withLock { revisions in
            guard let index = revisions.firstIndex(where: { $0.manager == ObjectIdentifier(manager) }) else { return }
            revisions[index].wasOutdated = true
        }
    }

    /// Keeps an answer until the next send.
    func note(_ answer: Answer, for manager: CredentialManager) {
        answers.withLock { answers in
            answers.removeAll { $0.manager == ObjectIdentifier(manager) }
            answers.append((ObjectIdentifier(manager), answer))
        }
    }

    /// Removes and returns the answer; `nil` if there is none.
    func take(for manager: CredentialManager) -> Answer? {
        answers.withLock { answers in
            answers.firstIndex { $0.manager == ObjectIdentifier(manager) }.map { answers.remove(at: $0).answer }
        }
    }
}
