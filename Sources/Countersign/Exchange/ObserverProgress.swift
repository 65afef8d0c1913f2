/// The progress of one observer in one exchange, and its limits.
struct ObserverProgress {
    /// One challenge among those of an exchange.
    struct Attempt {
        /// The number of the challenge among those of all origins, from 1 on.
        let number: Int
        /// Whether the same origin has sent a challenge before.
        let isRepeated: Bool
        /// Whether the origin's last challenge was to the same generation, so that its answer brought no newer credential. A
        /// redirect since then shows that the answer had an effect, although the generation is the same: the nonce was another
        /// one, or the answer was for other addresses of the origin, such as those of another realm.
        let isStuck: Bool
    }

    /// The generation of the credential in the latest send.
    var carried = Generation.none
    private var challenges = 0
    private var resends = 0

    /// The maximum number of resends before a redirect, or after one. Another request may use up a nonce meanwhile, but not every
    /// time.
    private static var maximumResends: Int { 3 }
    /// The generation that was carried when an origin last sent a challenge. Each origin has its own credential, or none yet, so
    /// a challenge of a redirect's target says nothing about the credential for the redirecting origin.
    private var lastChallenged: [(origin: Origin, carried: Generation, isAnswered: Bool)] = []

    /// Counts a challenge that the next attachment answers.
    ///
    /// - Returns: Whether the limit is not exceeded.
    mutating func noteResend() -> Bool {
        resends += 1
        return resends <= Self.maximumResends
    }

    /// Records that a redirect is followed. A security context begins anew at its target, with its own resends.
    mutating func noteRedirect() {
        resends = 0
        for index in lastChallenged.indices { lastChallenged[index].isAnswered = true }
    }

    /// Counts a challenge to the credential that was carried.
    ///
    /// - Parameter origin: The origin that sent the challenge.
    mutating func noteChallenge(from origin: Origin) -> Attempt {
        challenges += 1
        guard let index = lastChallenged.firstIndex(where: { $0.origin == origin }) else {
            lastChallenged.append((origin, carried, false))
            return Attempt(number: challenges, isRepeated: false, isStuck: false)
        }
        let last = lastChallenged[index]
        lastChallenged[index] = (origin, carried, false)
        return Attempt(number: challenges, isRepeated: true, isStuck: !last.isAnswered && last.carried == carried)
    }
}
