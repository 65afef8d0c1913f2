/// The pauses of steps that run again and again until a server has an answer (RFC 8628, section 3.5).
struct RepetitionPace {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(60)
    private static let mostTime = Duration.seconds(3600)

    private var interval: Duration
    private let end: Duration?

    /// - Parameter start: The time on the session's clock.
    /// - Returns: `nil` if the steps run without a pause.
    init?(of repetition: StepRepetition, _ values: [ProgramValue], from start: Duration) {
        guard let interval = repetition.interval?.duration(values) else { return nil }
        self.interval = min(max(interval, Self.shortest), Self.longest)
        end = repetition.timeout?.duration(values).map { start + min(max($0, .zero), Self.mostTime) }
    }

    /// How long to wait from now on.
    ///
    /// - Throws: ``StepFailure``, if the time would be over then.
    func pause(at now: Duration) throws -> Duration {
        if let end, now + interval >= end {
            throw StepFailure(
                .late, "the user has not allowed the login in time",
                error: CountersignError(
                    .timedOut, detail: "the user has not allowed the login in the time that its code is good for"))
        }
        return interval
    }

    /// A server wants longer pauses.
    mutating func slow(by delay: Duration) { interval = min(interval + delay, Self.longest) }

    /// A request had no answer.
    mutating func noteSilence() { interval = min(interval * 2, Self.longest) }
}
