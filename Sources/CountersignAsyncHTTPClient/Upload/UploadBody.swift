internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import Synchronization

/// A request's stream on its way to the client.
///
/// The client reads a stream in a task of its own, which it does not cancel: a stream that waits for its next piece while the server has
/// answered already would hold the exchange for ever. So a task of ours reads the stream, and ``abort()`` ends it.
final class UploadBody: Sendable {
    private struct State {
        /// Taken by the task that reads, so that the caller's stream goes when it has been read, however long the client keeps this.
        var open: (@Sendable () throws -> any ByteStream)?
        var task: Task<Void, Never>?
        var isAborted = false
        var failure: (any Error)?
    }

    private let length: Int?
    private let handoff = Handoff()
    private let state: Mutex<State>

    /// `nil` for a body that is not a stream.
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

    /// What the stream threw, or opening it.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The body as the client takes it: of known length, or in chunks.
    var messageBody: HTTPClientRequest.Body {
        .stream(Pieces(upload: self), length: length.map { .known(Int64($0)) } ?? .unknown)
    }

    /// Stops reading the stream, and tells the client, if it still wants more, that nothing will come.
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

    /// How many bytes to give the client before looking whether its event loop follows.
    ///
    /// The client takes pieces until its event loop says that the socket is full, and a busy loop says so late: tens of megabytes late,
    /// measured on two cores.
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
