/// How much time an exchange has left: a limit on everything but the time that recoveries take.
struct Deadline {
    private let limit: Duration
    private let now: @Sendable () -> Duration
    private var start: Duration

    /// A deadline that begins now.
    init(_ limit: Duration, now: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.now = now
        start = now()
    }

    /// The time that is left; none or less when the limit is reached.
    var remaining: Duration { limit - elapsed }

    /// The time that counts so far.
    var elapsed: Duration {
        get { now() - start }
        set { start = now() - newValue }
    }

    /// The error for a reached limit.
    var exceeded: CountersignError {
        CountersignError(.timedOut, detail: "no final response arrived within \(limit)")
    }
}
