/// The pauses between repetitions of steps until a server sends its final answer (RFC 8628, section 3.5).
struct RepetitionPace {
    private static let shortest = Duration.seconds(1)
    /// The maximum pause for servers that do not respond.
    private static let maximumBackoff = Duration.seconds(60)
    private static let maximumTime = Duration.seconds(3600)

    /// The pause that the spec and the servers ask for.
    private var interval: Duration
    /// The pause for servers that do not respond.
    private var backoff = Duration.zero
    private let end: Duration?
    /// The failure of the last request if the server did not respond.
    private var silence: StepFailure?

    /// - Parameter start: The time on the session's clock.
    /// - Returns: `nil` if the steps run without a pause.
    init?(of repetition: StepRepetition, _ values: [ProgramValue], from start: Duration) {
        guard let interval = repetition.interval?.duration(values) else { return nil }
        self.interval = max(interval, Self.shortest)
        end = repetition.timeout?.duration(values).map { start + min(max($0, .zero), Self.maximumTime) }
    }

    /// Returns the duration of the next pause.
    ///
    /// - Parameter origin: The server of the last request.
    /// - Throws: ``StepFailure`` if the time limit would be exceeded before the end of the pause.
    func pause(at now: Duration, asking origin: Origin?) throws -> Duration {
        let left = end.map { $0 - now } ?? Self.maximumTime
        guard interval <= left else {
            let detail = "the server sent no final response in time"
            throw silence ?? StepFailure(.late, detail, error: CountersignError(.timedOut, detail: detail, origin: origin))
        }
        return max(interval, min(backoff, left))
    }

    /// Notes that the servers have responded, and by how much they increase the pauses.
    mutating func noteAnswer(delayingBy delay: Duration) {
        silence = nil
        interval += delay
    }

    /// Notes that a server has not responded.
    mutating func note(_ silence: StepFailure) {
        self.silence = silence
        backoff = min(max(backoff, interval) * 2, Self.maximumBackoff)
    }
}

extension StepFailure {
    /// Whether a server has not responded, for example because it is busy or restarting.
    var isSilence: Bool {
        guard kind == .network else { return false }
        guard let error = error as? TransportError else { return true }
        return switch error.reason {
        case .timeout, .connect, .connectionLost: true
        case .tls, .clientCertificate, .pinMismatch, .nameResolution, .proxy, .malformed, .shutDown, .other: false
        }
    }
}
