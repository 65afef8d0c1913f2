internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import Synchronization

/// A streaming request body for the client.
///
/// The client reads a stream in its own task, which it does not cancel: a stream that waits for its next piece after the server
/// has already responded would keep the exchange open forever. Therefore a task of this object reads the stream, and ``abort()``
/// ends it.
final class UploadBody: Sendable {
    private struct State {
        /// Opens the stream. The reading task takes the closure, so that the stream is released after reading, even if the client
        /// keeps this object.
        var open: (@Sendable () throws -> any ByteStream)?
        var task: Task<Void, Never>?
        var isAborted = false
        var failure: (any Error)?
    }

    private let length: Int?
    private let handoff = Handoff()
    private let state: Mutex<State>

    /// Creates the body for a stream; `nil` for a body that is not a stream.
    init?(_ body: RequestBody) {
        guard body.data == nil else { return nil }
        switch body.content {
        case .none, .bytes: return nil
        case .restartable(let length, let make):
            self.length = length
            state = Mutex(State(open: make))
        case .once(let length, let stream):
            self.length = length
            state = Mutex(State(open: { stream }))
        }
    }

    /// The error of the stream or of opening it.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The body as the client's type, with a known length or chunked.
    var messageBody: HTTPClientRequest.Body {
        .stream(Pieces(upload: self), length: length.map { .known(Int64($0)) } ?? .unknown)
    }

    /// Stops reading the stream, and ends the client's wait for further pieces with an error.
    func abort() {
        let task = state.withLock { state in
            state.isAborted = true
            state.open = nil
            return state.task
        }
        task?.cancel()
        handoff.finish(CancellationError())
    }

    private func start() {
        state.withLock { state in
            guard !state.isAborted, let open = state.open.take() else { return }
            state.task = Task { await run(open) }
        }
    }

    private func run(_ open: @Sendable () throws -> any ByteStream) async {
        do {
            try await forward(try open())
            handoff.finish()
        } catch {
            state.withLock { state in
                if !state.isAborted { state.failure = error }
            }
            handoff.finish(error)
        }
    }

    private func forward(_ stream: some ByteStream) async throws {
        var ahead = 0
        for try await piece in stream where !piece.isEmpty {
            if ahead >= Self.farthestAhead {
                try await OwnedClient.untilEventLoopsCaughtUp()
                ahead = 0
            }
            ahead += piece.count
            try await handoff.offer(ByteBuffer(bytes: piece))
        }
    }

    /// The number of bytes after which the task waits for the client's event loops.
    ///
    /// The client takes pieces until its event loop reports that the socket is full, and a busy event loop does so late: after
    /// tens of megabytes, measured on two cores.
    private static let farthestAhead = 512 * 1024

    private struct Pieces: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        let upload: UploadBody

        func makeAsyncIterator() -> Iterator {
            upload.start()
            return Iterator(upload: upload)
        }

        struct Iterator: AsyncIteratorProtocol {
            let upload: UploadBody

            mutating func next() async throws -> ByteBuffer? { try await upload.handoff.take() }
        }
    }
}
