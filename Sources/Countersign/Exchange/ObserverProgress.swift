/// The progress of one observer in one exchange, and its limits.
struct ObserverProgress {
    /// One challenge among those of an exchange.
    struct Attempt {
        /// The number of the challenge among those of all origins, from 1 on.
        let number: Int
        /// Whether the same origin has sent a challenge before.
        let isRepeated: Bool
        /// Whether the origin's last challenge was to the same generation, so that its answer brought no newer credential.
        let isStuck: Bool
    }

    /// The generation of the credential in the latest send.
    var carried = Generation.none
    private var challenges = 0
    private var resends = 0

    /// The maximum number of resends. Another request may use up a nonce meanwhile, but not every time.
    private static var mostResends: Int { 3 }
    /// The generation that was carried when an origin last sent a challenge. Each origin has its own credential, or none yet, so
    /// a challenge of a redirect's target says nothing about the credential for the redirecting origin.
    private var lastChallenged: [(origin: Origin, carried: Generation)] = []

    /// Counts a challenge that the next attachment answers.
    ///
    /// - Returns: Whether the limit is not exceeded.
    mutating func noteResend() -> Bool {
        resends += 1
        return resends <= Self.mostResends
    }

    /// Counts a challenge to the credential that was carried.
    ///
    /// - Parameter origin: The origin that sent the challenge.
    mutating func noteChallenge(from origin: Origin) -> Attempt {
        challenges += 1
        guard let index = lastChallenged.firstIndex(where: { $0.origin == origin }) else {
            lastChallenged.append((origin, carried))
            return Attempt(number: challenges, isRepeated: false, isStuck: false)
        }
        defer { lastChallenged[index].carried = carried }
        return Attempt(number: challenges, isRepeated: true, isStuck: lastChallenged[index].carried == carried)
    }
}
