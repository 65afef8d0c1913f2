internal import NIOCore
internal import Synchronization

/// Passes pieces from one task to another, one at a time. The offering task waits until its piece was taken.
final class Handoff: Sendable {
    private enum State {
        case idle
        case offered(ByteBuffer, CheckedContinuation<Void, any Error>)
        case wanted(CheckedContinuation<ByteBuffer?, any Error>)
        case finished((any Error)?)
    }

    private let state = Mutex(State.idle)

    /// Offers a piece and waits until it was taken.
    ///
    /// - Throws: `CancellationError` if the handoff has been finished.
    func offer(_ piece: ByteBuffer) async throws {
        try await withCheckedThrowingContinuation { (producer: CheckedContinuation<Void, any Error>) in
            let resume: () -> Void = state.withLock { state in
                switch state {
                case .wanted(let consumer):
                    state = .idle
                    return {
                        consumer.resume(returning: piece)
                        producer.resume()
                    }
                case .idle:
                    state = .offered(piece, producer)
                    return {}
                case .finished, .offered:
                    return { producer.resume(throwing: CancellationError()) }
                }
            }
            resume()
        }
    }

    /// Waits for a piece; `nil` after the last.
    func take() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { (consumer: CheckedContinuation<ByteBuffer?, any Error>) in
            let resume: () -> Void = state.withLock { state in
                switch state {
                case .offered(let piece, let producer):
                    state = .idle
                    return {
                        producer.resume()
                        consumer.resume(returning: piece)
                    }
                case .idle:
                    state = .wanted(consumer)
                    return {}
                case .finished(let error):
                    return { if let error { consumer.resume(throwing: error) } else { consumer.resume(returning: nil) } }
                case .wanted:
                    return { consumer.resume(throwing: CancellationError()) }
                }
            }
            resume()
        }
    }

    /// Ends the handoff: without an error, no more pieces follow; with an error, none will be taken. The first call counts.
    func finish(_ error: (any Error)? = nil) {
        let resume: () -> Void = state.withLock { state in
            let before = state
            if case .finished = before { return {} }
            state = .finished(error)
            switch before {
            case .offered(_, let producer): return { producer.resume(throwing: CancellationError()) }
            case .wanted(let consumer):
                return { if let error { consumer.resume(throwing: error) } else { consumer.resume(returning: nil) } }
            case .idle, .finished: return {}
            }
        }
        resume()
    }
}
