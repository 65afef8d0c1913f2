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
    var remaining: Duration { limit - (now() - start) }

    /// The error for a reached limit.
    var exceeded: CountersignError {
        CountersignError(.timedOut, detail: "no final response arrived within \(limit)")
    }

    /// Does work that has a limit of its own, such as a login, and does not count its time.
    mutating func pausing(_ work: () async throws -> Void) async rethrows {
        let began = now()
        defer { start += now() - began }
        try await work()
    }
}
