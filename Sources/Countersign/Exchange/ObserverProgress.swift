/// What one observer has done in one exchange, and how often it may go on.
struct ObserverProgress {
    /// One challenge among those of an exchange.
    struct Attempt {
        /// Counts from one.
        let number: Int
        /// How many of the challenges so far were to a request that carried a credential.
        let refusals: Int
        /// Whether the last challenge came to the same generation, so that answering it brought no newer credential.
        let isStuck: Bool
    }

    /// Which credential the latest send carried.
    var carried = Generation.none
    private var challenges = 0
    private var refusals = 0
    private var lastChallenged: Generation?

    /// Counts a challenge to what was carried.
    mutating func noteChallenge() -> Attempt {
        challenges += 1
        if carried != .none { refusals += 1 }
        defer { lastChallenged = carried }
        return Attempt(number: challenges, refusals: refusals, isStuck: lastChallenged == carried)
    }
}
