/// The time limit of an exchange. The time of recoveries is not counted.
struct Deadline {
    private let limit: Duration
    private let now: @Sendable () -> Duration
    private var start: Duration

    /// Creates a time limit that begins now.
    init(_ limit: Duration, now: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.now = now
        start = now()
    }

    /// The remaining time; zero or less when the limit is reached.
    var remaining: Duration { limit - elapsed }

    /// The time that has been counted so far.
    var elapsed: Duration {
        get { now() - start }
        set { start = now() - newValue }
    }

    /// The error for a reached limit.
    var exceeded: CountersignError {
        CountersignError(.timedOut, detail: "no final response arrived within \(limit)")
    }
}
