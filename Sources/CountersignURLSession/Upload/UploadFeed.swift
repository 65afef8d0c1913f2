internal import Countersign
internal import Foundation

/// A streaming request body, which a task reads. On Apple systems, `URLSession` takes its pieces in a thread that may wait. On Linux, it
/// is read as a whole, before the request starts.
///
/// Unchecked, because the state is used only under the lock of the condition.
final class UploadFeed: @unchecked Sendable {
    /// The announced length; `nil` for a chunked body.
    let length: Int?
    private let condition = NSCondition()
    /// Opens the stream; `nil` after that.
    private var open: (@Sendable () throws -> any ByteStream)?
    private var task: Task<Void, Never>?
    /// The bytes that were not taken yet.
    private var piece: ArraySlice<UInt8> = []
    /// Resumes the task that waits until the piece was taken.
    private var offering: CheckedContinuation<Void, Never>?
    private var hasAll = false
    private var isAborted = false
    private var error: (any Error)?

    /// Creates the body for a stream; `nil` for a body that is not a stream.
    init?(_ body: RequestBody) {
        guard body.data == nil else { return nil }
        switch body.content {
        case .none, .bytes: return nil
        case .restartable(let length, let make):
            self.length = length
            open = make
        case .once(let length, let stream):
            self.length = length
            open = { stream }
        }
    }

    /// The error of the stream or of opening it.
    var failure: (any Error)? { condition.withLock { error } }

    #if canImport(Security)
    /// Starts reading the stream.
    ///
    /// - Parameter onFailure: Called with the error of the stream.
    func start(onFailure: @escaping @Sendable (any Error) -> Void) {
        condition.withLock {
            guard !isAborted, let open = open.take() else { return }
            task = Task { [self] in await run(open, onFailure: onFailure) }
        }
    }

    /// Copies the next bytes. Waits until there are some.
    ///
    /// - Returns: The number of bytes; 0 at the end, -1 after an error or ``abort()``.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let (count, offering) = condition.withLock { () -> (Int, CheckedContinuation<Void, Never>?) in
            while piece.isEmpty, !hasAll, !isAborted { condition.wait() }
            guard !isAborted, error == nil else { return (-1, nil) }
            let count = min(piece.count, maxLength)
            piece.prefix(count).withUnsafeBufferPointer { bytes in
                if let start = bytes.baseAddress { buffer.update(from: start, count: count) }
            }
            piece = piece.dropFirst(count)
            return (count, piece.isEmpty ? self.offering.take() : nil)
        }
        offering?.resume()
        return count
    }

    private func run(_ open: @Sendable () throws -> any ByteStream, onFailure: @Sendable (any Error) -> Void) async {
        do {
            try await forward(try open())
            condition.withLock {
                hasAll = true
                condition.broadcast()
            }
        } catch {
            let isOwn = condition.withLock {
                guard !isAborted else { return false }
                self.error = error
                return true
            }
            // The exchange ends before the thread is released, which would otherwise report the end of the body.
            if isOwn { onFailure(error) }
            condition.withLock {
                hasAll = true
                condition.broadcast()
            }
        }
    }

    private func forward(_ stream: some ByteStream) async throws {
        for try await piece in stream where !piece.isEmpty {
            await withCheckedContinuation { continuation in
                let isOver = condition.withLock {
                    guard !isAborted else { return true }
                    self.piece = piece[...]
                    offering = continuation
                    condition.broadcast()
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        }
    }
    #else
    /// Reads the whole stream.
    ///
    /// FoundationNetworking takes a stream in a queue that all sessions of the process share. All of them, and the tasks that begin an
    /// exchange, would wait for the next piece.
    ///
    /// - Parameter onEnd: Called with the bytes, or the error of the stream or of opening it; not called after ``abort()`` was called
    ///   first.
    func collect(onEnd: @escaping @Sendable (Result<[UInt8], any Error>) -> Void) {
        condition.withLock {
            guard !isAborted, let open = open.take() else { return }
            task = Task { [length] in
                do {
                    let bytes = try await Self.bytes(of: try open(), announced: length)
                    guard length == nil || length == bytes.count else {
                        throw TransportError(
                            .other, detail: "the request's body does not have the announced length",
                            requestMayHaveBeenProcessed: false)
                    }
                    onEnd(.success(bytes))
                } catch {
                    onEnd(.failure(error))
                }
            }
        }
    }

    /// - Parameter length: The announced length, beyond which the stream is not read; `nil` for none.
    private static func bytes(of stream: some ByteStream, announced length: Int?) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in stream {
            bytes += piece
            if let length, bytes.count > length { break }
        }
        // A cancelled stream may end like a complete one.
        try Task.checkCancellation()
        return bytes
    }
    #endif

    /// Stops reading the stream. A thread that waits for bytes gets an error.
    func abort() {
        let (task, offering) = condition.withLock {
            isAborted = true
            open = nil
            piece = []
            condition.broadcast()
            return (self.task, self.offering.take())
        }
        task?.cancel()
        offering?.resume()
    }
}
