internal import Synchronization

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request on its way, with the resends that it takes.
public final class FoundationSessionTask: Sendable {
    /// Where a task is.
    public enum State: Sendable, Hashable {
        /// Not started.
        case suspended
        /// On its way.
        case running
        /// Cancelled, and about to end.
        case canceling
        /// Ended.
        case completed
    }

    /// A number that no other task of the session has.
    public let taskIdentifier: Int
    /// The request as the caller made it.
    public let originalRequest: URLRequest?

    private struct Progress {
        var state = State.suspended
        var description: String?
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var work: Task<Void, Never>?
    }
    private let progress: Mutex<Progress>
    private let start: @Sendable (FoundationSessionTask) -> Task<Void, Never>?

    /// A task that stands for an exchange that its caller awaits.
    init(request: URLRequest, session: FoundationSession) {
        taskIdentifier = session.nextTaskIdentifier()
        originalRequest = request
        progress = Mutex(Progress(state: .running, currentRequest: request))
        start = { _ in nil }
    }

    /// A task that is started by hand and ends in a completion handler.
    init(
        request: URLRequest, session: FoundationSession,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) {
        taskIdentifier = session.nextTaskIdentifier()
        originalRequest = request
        progress = Mutex(Progress(currentRequest: request))
        start = { task in
            Task.detached {
                do {
                    let (data, response) = try await session.exchange(request, body: nil, as: task)
                    task.complete(error: nil)
                    completionHandler(data, response, nil)
                } catch {
                    let error = task.state == .canceling || error is CancellationError ? URLError(.cancelled) : error
                    task.complete(error: error)
                    completionHandler(nil, task.response, error)
                }
            }
        }
    }

    /// Starts the task. Does nothing if it was started before.
    public func resume() {
        progress.withLock { progress in
            guard progress.state == .suspended else { return }
            progress.state = .running
            progress.work = start(self)
        }
    }

    /// Ends the task: its completion handler gets `URLError.cancelled`, unless the task has ended before.
    public func cancel() {
        progress.withLock { progress in
            guard progress.state == .suspended || progress.state == .running else { return }
            let isSuspended = progress.state == .suspended
            progress.state = .canceling
            if isSuspended { progress.work = start(self) }
            progress.work?.cancel()
        }
    }

    /// Where the task is.
    public var state: State { progress.withLock(\.state) }

    /// The request as observers and redirects have left it.
    public var currentRequest: URLRequest? { progress.withLock(\.currentRequest) }

    /// The response, once its head is there.
    public var response: URLResponse? { progress.withLock(\.response) }

    /// Why the task failed.
    public var error: (any Error)? { progress.withLock(\.error) }

    /// A name for people who look at logs.
    public var taskDescription: String? {
        get { progress.withLock(\.description) }
        set { progress.withLock { $0.description = newValue } }
    }

    func note(_ response: URLResponse) { progress.withLock { $0.response = response } }

    func note(current request: URLRequest) { progress.withLock { $0.currentRequest = request } }

    private func complete(error: (any Error)?) {
        progress.withLock { progress in
            progress.state = .completed
            progress.error = error
        }
    }
}
