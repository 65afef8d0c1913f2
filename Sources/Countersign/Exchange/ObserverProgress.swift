/// What one observer has done in one exchange, and how often it may go on.
struct ObserverProgress {
    /// One challenge among those of an exchange.
    struct Attempt {
        /// Counts from one, at whichever origin.
        let number: Int
        /// Whether the same origin has challenged before.
        let isRepeated: Bool
        /// Whether the origin's last challenge came to the same generation, so that answering it brought no newer credential.
        let isStuck: Bool
    }

    /// Which credential the latest send carried.
    var carried = Generation.none
    private var challenges = 0
    private var resends = 0

    /// A nonce can have been used up by another request meanwhile, but not for ever.
    private static var mostResends: Int { 3 }
    /// What was carried when an origin challenged last. Each has a credential of its own, or none yet: that a redirect's target challenges
    /// says nothing of the credential that was good where the redirect came from.
    private var lastChallenged: [(origin: Origin, carried: Generation)] = []

    /// Counts a challenge that is answered by what is attached next.
    ///
    /// - Returns: Whether there was none too many.
    mutating func noteResend() -> Bool {
        resends += 1
        return resends <= Self.mostResends
    }

    /// Counts a challenge to what was carried.
    ///
    /// - Parameter origin: Where the challenge came from.
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
