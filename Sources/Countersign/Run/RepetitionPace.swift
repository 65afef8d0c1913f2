/// The pauses of steps that run again and again until a server has its final answer (RFC 8628, section 3.5).
struct RepetitionPace {
    private static let shortest = Duration.seconds(1)
    /// How long a pause becomes at most for servers that do not answer.
    private static let longestBackoff = Duration.seconds(60)
    private static let mostTime = Duration.seconds(3600)

    /// What the spec and the servers want.
    private var interval: Duration
    /// What is waited for servers that do not answer.
    private var backoff = Duration.zero
    private let end: Duration?
    /// Why there was no answer the last time.
    private var silence: StepFailure?

    /// - Parameter start: The time on the session's clock.
    /// - Returns: `nil` if the steps run without a pause.
    init?(of repetition: StepRepetition, _ values: [ProgramValue], from start: Duration) {
        guard let interval = repetition.interval?.duration(values) else { return nil }
        self.interval = max(interval, Self.shortest)
        end = repetition.timeout?.duration(values).map { start + min(max($0, .zero), Self.mostTime) }
    }

    /// How long to wait from now on.
    ///
    /// - Parameter origin: The server that was asked last.
    /// - Throws: ``StepFailure``, if the time would be over before the end of the pause.
    func pause(at now: Duration, asking origin: Origin?) throws -> Duration {
        let left = end.map { $0 - now } ?? Self.mostTime
        guard interval <= left else {
            let detail = "the server gave no final answer in time"
            throw silence ?? StepFailure(.late, detail, error: CountersignError(.timedOut, detail: detail, origin: origin))
        }
        return max(interval, min(backoff, left))
    }

    /// The servers have answered, and want longer pauses or not.
    mutating func noteAnswer(delayingBy delay: Duration) {
        silence = nil
        interval += delay
    }

    /// A server has not answered.
    mutating func note(_ silence: StepFailure) {
        self.silence = silence
        backoff = min(max(backoff, interval) * 2, Self.longestBackoff)
    }
}

extension StepFailure {
    /// Whether a server has not answered, as one that is busy or begins anew.
    var isSilence: Bool {
        guard kind == .network else { return false }
        guard let error = error as? TransportError else { return true }
        return switch error.reason {
        case .timeout, .connect, .connectionLost: true
        case .tls, .clientCertificate, .pinMismatch, .nameResolution, .proxy, .malformed, .shutDown, .other: false
        }
    }
}
