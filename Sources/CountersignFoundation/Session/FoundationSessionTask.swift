public import Countersign
internal import Synchronization

public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A request of a ``FoundationSession``, from its creation to its end.
///
/// ```swift
/// let task = session.dataTask(with: request) { data, response, error in
///     …
/// }
/// task.taskDescription = "orders"
/// task.resume()
/// ```
public final class FoundationSessionTask: Sendable {
    typealias Completion = @Sendable (FoundationSessionTask, Result<LoadedResponse, any Error>) -> Void

    private struct Life {
        var phase = URLSessionTask.State.suspended
        var description: String?
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var work: Task<Void, Never>?
        var completion: Completion?
        var bypassIdentifier: UUID?
        var maximumDataSize: Int?
    }

    /// The number of the task in its session, counted from one.
    public let taskIdentifier: Int
    /// The request that the task was created with.
    public let originalRequest: URLRequest?
    /// The session, which is retained as long as the task exists.
    let session: FoundationSession
    private let body: RequestBody?
    private let collecting: Bool
    private let life: Mutex<Life>

    init(
        identifier: Int, session: FoundationSession, request: URLRequest, body: RequestBody?, collecting: Bool,
        completion: @escaping Completion
    ) {
        taskIdentifier = identifier
        self.session = session
        originalRequest = request
        self.body = body
        self.collecting = collecting
        life = Mutex(Life(currentRequest: request, completion: completion))
    }

    /// Creates a placeholder for a request without a task, for the application's observers.
    init(session: FoundationSession, request: URLRequest) {
        taskIdentifier = 0
        self.session = session
        originalRequest = request
        body = nil
        collecting = false
        life = Mutex(Life(phase: .running, currentRequest: request))
    }

    /// A description for the application's own use.
    public var taskDescription: String? {
        get { life.withLock { $0.description } }
        set { life.withLock { $0.description = newValue } }
    }

    /// The identifier of an authentication handler, for tasks that the handler needs for its decision. They do not wait for it. Set
    /// it before ``resume()``.
    public var requestBypassIdentifier: UUID? {
        get { life.withLock { $0.bypassIdentifier } }
        set { life.withLock { $0.bypassIdentifier = newValue } }
    }

    /// The maximum size of the body in bytes. A larger one fails with `CountersignError.Code.responseTooLarge`. `nil` selects the
    /// session's limit. Set it before ``resume()``.
    package var maximumDataSize: Int? {
        get { life.withLock { $0.maximumDataSize } }
        set { life.withLock { $0.maximumDataSize = newValue } }
    }

    /// The request at the latest URL of the redirect chain.
    public var currentRequest: URLRequest? { life.withLock { $0.currentRequest } }
    /// The final response, or the response that an observer currently examines.
    public var response: URLResponse? { life.withLock { $0.response } }
    /// The error of a failed task.
    public var error: (any Error)? { life.withLock { $0.error } }
    /// The state of the task.
    public var state: URLSessionTask.State { life.withLock { $0.phase } }
}

// MARK: - Running

extension FoundationSessionTask {
    /// Starts the task. Does nothing if it was started or cancelled before.
    public func resume() {
        let isFirst = life.withLock { life in
            guard life.phase == .suspended else { return false }
            life.phase = .running
            return true
        }
        guard isFirst else { return }
        let isAdmitted = session.begin(self)
        // The task inherits the caller's task-local values, by which requests of a login are recognized.
        let work = Task { isAdmitted ? await run() : finish(.failure(FoundationSession.invalidated(originalRequest))) }
        let isCancelled = life.withLock { life in
            life.work = work
            return life.phase == .canceling
        }
        if isCancelled { work.cancel() }
    }

    /// Cancels the task. Its completion handler is called with `URLError.cancelled`. Does nothing if the task has ended.
    public func cancel() {
        let (work, wasSuspended) = life.withLock { life in
            let wasSuspended = life.phase == .suspended
            if life.phase != .completed { life.phase = .canceling }
            return (life.work, wasSuspended)
        }
        work?.cancel()
        if wasSuspended { Task { finish(.failure(CancellationError())) } }
    }

    private func run() async {
        do {
            finish(.success(try await load()))
        } catch {
            finish(.failure(error))
        }
    }

    private func load() async throws -> LoadedResponse {
        guard let originalRequest else { throw URLError(.badURL) }
        var request = try SessionRequest(originalRequest, body: body)
        request.bypassIdentifier = requestBypassIdentifier
        let loaded: LoadedResponse
        do {
            loaded = LoadedResponse(try await session.session.send(request, task: self))
        } catch let refused as RefusedRedirect {
            loaded = LoadedResponse(refused)
        }
        return try await collect(loaded)
    }

    private func collect(_ loaded: LoadedResponse) async throws -> LoadedResponse {
        life.withLock { life in
            life.response = loaded.response
            if let url = loaded.response.url { life.currentRequest?.url = url }
        }
        guard collecting else { return loaded }
        return try await session.collected(loaded, upTo: maximumDataSize ?? session.maximumDataSize)
    }

    private func finish(_ outcome: Result<LoadedResponse, any Error>) {
        let outcome = outcome.mapError { $0.forFoundation }
        let completion = life.withLock { life in
            guard life.phase != .completed else { return nil as Completion? }
            life.phase = .completed
            if case .failure(let error) = outcome { life.error = error }
            life.work = nil
            return life.completion.take()
        }
        session.end(self)
        completion?(self, outcome)
    }
}

// MARK: - Observers

extension FoundationSessionTask {
    /// Sets the request before an application's observer is called.
    func show(_ request: URLRequest) { life.withLock { $0.currentRequest = request } }

    /// Sets the response before an application's observer is called.
    func show(response: URLResponse) { life.withLock { $0.response = response } }
}

extension FoundationSessionTask: ReducedDescription {
    /// The identifier, the HTTP method and the origin.
    public var visibleParts: KeyValuePairs<String, String> {
        [
            "identifier": "\(taskIdentifier)", "method": originalRequest?.httpMethod ?? "none",
            "origin": originalRequest?.url.flatMap { Origin($0) }.map { "\($0)" } ?? "none",
        ]
    }
}
