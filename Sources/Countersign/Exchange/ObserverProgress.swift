/// What one observer has done in one exchange, and how often it may go on.
struct ObserverProgress {
    /// One challenge among those of an exchange.
    struct Attempt {
        /// Counts from one.
        let number: Int
        /// Whether the last challenge came to the same generation, so that answering it brought no newer credential.
        let isStuck: Bool
    }

    /// Which credential the latest send carried.
    var carried = Generation.none
    private var challenges = 0
    private var lastChallenged: Generation?

    /// Counts a challenge to what was carried.
    mutating func noteChallenge() -> Attempt {
        challenges += 1
        defer { lastChallenged = carried }
        return Attempt(number: challenges, isStuck: lastChallenged == carried)
    }
}
