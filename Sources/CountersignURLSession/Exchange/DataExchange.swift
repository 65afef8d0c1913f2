internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A request under way: it waits for the head, keeps what arrives of the body until it is read, and ends once.
final class DataExchange: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var hasStarted = false
        /// Waits for the head; `nil` before and after that.
        var head: CheckedContinuation<HTTPResponse, any Error>?
        var hasHead = false
        /// The received pieces. The first `taken` ones were read.
        var pieces: [Data] = []
        var taken = 0
        /// The number of bytes in the pieces that were not read.
        var unread = 0
        var maximumUnreadSize = 0
        /// Waits for the next piece.
        var reader: CheckedContinuation<Data?, any Error>?
        var isPaused = false
        /// The end of the exchange; `nil` before.
        var ending: Result<Void, any Error>?
        /// Ends the wait for the head.
        var timer: Task<Void, Never>?
        var onEnd: (@Sendable () -> Void)?
    }

    /// The work that remains when an exchange has ended, which is done without the lock.
    private struct Remainder {
        let head: CheckedContinuation<HTTPResponse, any Error>?
        let reader: CheckedContinuation<Data?, any Error>?
        let task: URLSessionDataTask?
        let timer: Task<Void, Never>?
        let onEnd: (@Sendable () -> Void)?
    }

    let upload: UploadFeed?
    private let target: RequestTarget
    private let method: HTTPRequest.Method
    private let state = Mutex(State())

    init(target: RequestTarget, method: HTTPRequest.Method, upload: UploadFeed?) {
        self.target = target
        self.method = method
        self.upload = upload
    }

    /// Whether nothing more of the response arrives.
    var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// Whether its task was started, so that the server may have the request.
    var hasStarted: Bool { state.withLock(\.hasStarted) }

    /// Resumes a continuation when the head has arrived, or the exchange has ended.
    ///
    /// - Parameter limit: The time limit; `nil` for none.
    func awaitHead(_ continuation: CheckedContinuation<HTTPResponse, any Error>, within limit: Duration?) {
        let error: (any Error)? = state.withLock { state in
            if case .failure(let error) = state.ending { return error }
            state.head = continuation
            if let limit {
                state.timer = Task { [weak self] in
                    guard (try? await Task.sleep(for: min(limit, SessionConfiguration.longestLimit))) != nil else { return }
                    self?.expire()
                }
            }
            return nil
        }
        if let error { continuation.resume(throwing: error) }
    }

    /// Starts the task of the exchange.
    ///
    /// - Parameters:
    ///   - maximumUnreadSize: The number of unread bytes at which the task pauses.
    ///   - onEnd: Called once when the exchange has ended.
    func start(_ task: URLSessionDataTask, maximumUnreadSize: Int, onEnd: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.maximumUnreadSize = maximumUnreadSize
            guard state.ending == nil else { return true }
            state.task = task
            state.hasStarted = true
            state.onEnd = onEnd
            return false
        }
        #if canImport(Security)
        upload?.start { [weak self] error in self?.fail(error) }
        #endif
        // It is also resumed if it is cancelled at once, since it would not complete otherwise.
        task.resume()
        if hasEnded { task.cancel() }
        // In another task, since the caller holds the lock that it needs.
        if isOver { Task { onEnd() } }
    }

    func receive(_ response: HTTPURLResponse) {
        let head: HTTPResponse
        do {
            head = try HTTPResponse(response, to: method)
        } catch {
            return fail(error)
        }
        let (continuation, timer) = state.withLock { state in
            guard state.ending == nil, !state.hasHead else {
                return (CheckedContinuation<HTTPResponse, any Error>?.none, Task<Void, Never>?.none)
            }
            state.hasHead = true
            return (state.head.take(), state.timer.take())
        }
        timer?.cancel()
        continuation?.resume(returning: head)
    }

    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (reader, isTooMuch) = state.withLock { state in
            guard state.ending == nil else { return (CheckedContinuation<Data?, any Error>?.none, false) }
            if let reader = state.reader.take() { return (reader, false) }
            state.pieces.append(data)
            state.unread += data.count
            return (nil, !Self.pause(&state))
        }
        reader?.resume(returning: data)
        if isTooMuch { fail(Self.unreadable) }
    }

    /// Ends the exchange with the outcome of its task. What has arrived can still be read.
    ///
    /// - Parameter response: The response, which is not announced for a redirect that leads nowhere.
    func complete(_ error: (any Error)?, response: HTTPURLResponse?) {
        if error == nil, let response { receive(response) }
        let hasHead = state.withLock(\.hasHead)
        let failure =
            upload?.failure ?? error.map { TransportError.describe($0, hasHead: hasHead, isEncrypted: target.isEncrypted) }
        if let failure {
            end(.failure(failure), keepingUnread: true)
        } else if hasHead {
            end(.success(()), keepingUnread: true)
        } else {
            end(.failure(Self.headless), keepingUnread: true)
        }
    }

    /// Ends the exchange, and closes its stream or connection.
    func fail(_ error: any Error) { end(.failure(error), keepingUnread: false) }

    /// Ends the exchange at the time limit of its head, unless the head has arrived in the meantime.
    func expire() { end(.failure(Self.tooLate), keepingUnread: false, onlyBeforeHead: true) }

    private func end(_ ending: Result<Void, any Error>, keepingUnread: Bool, onlyBeforeHead: Bool = false) {
        let remainder: Remainder? = state.withLock { state in
            if onlyBeforeHead, state.hasHead { return nil }
            let isFirst = state.ending == nil
            // Dropping the rest of a complete response ends it anew, so that a reader does not take it for the whole.
            if isFirst || (!keepingUnread && state.unread > 0) { state.ending = ending }
            if !keepingUnread { (state.pieces, state.taken, state.unread) = ([], 0, 0) }
            guard isFirst else { return nil }
            return Remainder(
                head: state.head.take(), reader: state.reader.take(), task: keepingUnread ? nil : state.task,
                timer: state.timer.take(), onEnd: state.onEnd.take())
        }
        guard let remainder else { return }
        remainder.timer?.cancel()
        // The end of the stream would be the end of the body, before the task is cancelled.
        remainder.task?.cancel()
        upload?.abort()
        state.withLock { $0.task = nil }
        switch ending {
        case .success: remainder.reader?.resume(returning: nil)
        case .failure(let error):
            remainder.head?.resume(throwing: error)
            remainder.reader?.resume(throwing: error)
        }
        remainder.onEnd?()
    }

    /// Returns the next piece of the body; `nil` at the end. Cancelling the task ends the exchange.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Data?, any Error>? = state.withLock { state in
                    if state.taken < state.pieces.count { return .success(Self.takePiece(&state)) }
                    switch state.ending {
                    case .success: return .success(nil)
                    case .failure(let error): return .failure(error)
                    case nil: break
                    }
                    guard state.reader == nil else { return .failure(CancellationError()) }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    private static func takePiece(_ state: inout State) -> Data {
        let piece = state.pieces[state.taken]
        // The piece is released here, and the array when it is used up.
        state.pieces[state.taken] = Data()
        state.taken += 1
        if state.taken == state.pieces.count { (state.pieces, state.taken) = ([], 0) }
        state.unread -= piece.count
        if state.isPaused, state.unread <= state.maximumUnreadSize / 2 {
            state.isPaused = false
            state.task?.resume()
        }
        return piece
    }

    /// Pauses the task if there are too many unread bytes.
    ///
    /// - Returns: Whether more bytes can be kept.
    private static func pause(_ state: inout State) -> Bool {
        #if canImport(Security)
        if state.unread >= state.maximumUnreadSize, !state.isPaused {
            state.isPaused = true
            state.task?.suspend()
        }
        return true
        #else
        // FoundationNetworking implements `suspend` by closing the connection, and `resume` by sending the request again.
        let (limit, overflow) = state.maximumUnreadSize.multipliedReportingOverflow(by: 64)
        return overflow || state.unread <= limit
        #endif
    }

    /// Whether a request may use an idle connection.
    ///
    /// If such a connection turns out to be closed, FoundationNetworking sends the request again over another one, whatever its
    /// method is, and possibly without the beginning of its body. On Apple systems, it does so for idempotent methods only.
    static func mayShareConnection(_ request: SessionRequest) -> Bool {
        #if canImport(Security)
        return true
        #else
        guard case .none = request.body.content else { return false }
        switch request.head.method {
        case .get, .head, .options, .put, .delete: return true
        default: return false
        }
        #endif
    }

    private static let tooLate = TransportError(
        .timeout, detail: "the server did not respond in time", requestMayHaveBeenProcessed: true)
    private static let headless = TransportError(
        .malformed, detail: "the exchange ended without a response", requestMayHaveBeenProcessed: true)
    private static let unreadable = TransportError(
        .other, detail: "the response arrived faster than it was read, and URLSession cannot pause it on this system",
        requestMayHaveBeenProcessed: true)
}
