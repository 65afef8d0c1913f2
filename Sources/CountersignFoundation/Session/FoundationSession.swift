public import Countersign
internal import CountersignAsyncHTTPClient
public import Foundation
internal import Synchronization
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A session with the interface of `URLSession` (`URLRequest` and completion handlers) on top of the runtime's session.
///
/// Registered observers answer challenges transparently to the callers of challenged requests.
///
/// ```swift
/// let session = FoundationSession()
/// session.register(observer)
/// let (data, response) = try await session.data(for: URLRequest(url: url))
/// ```
///
/// **Lifetimes.** Each session has its own connections, unless it uses a shared transport. A running task retains its session. The
/// connections are closed when the session is released and its tasks have ended, or sooner by ``finishTasksAndInvalidate()`` and
/// ``invalidateAndCancel()``.
///
/// **Cookies.** A request whose `httpShouldHandleCookies` is `false` is sent without the session's cookies, and does not change them.
/// A method whose credential is cookies cannot authenticate it.
///
/// **Errors.** A cancelled request fails with `URLError.cancelled`. A transport failure is a `URLError` with the `TransportError`
/// under `NSUnderlyingErrorKey`. Errors of authentication methods and of the runtime (`CountersignError`) are thrown unchanged.
public final class FoundationSession: Sendable {
    /// The runtime's session, for callers that do not use Foundation's types.
    public let session: Session
    /// The session's cookies.
    public let cookieStorage: FoundationCookieStorage
    let maximumDataSize: Int
    let maximumDataTime: Duration
    /// Whether exchanges end when the transport is shut down, and so with the session. That is known only of this package's
    /// transport.
    private let endsExchanges: Bool
    private let state: Mutex<FoundationSessionState>

    /// Creates a session with its own connections.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: configuration.transport))
    }

    /// Creates a session with a given transport.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. Its `transport` is ignored.
    ///   - transport: The transport of the requests.
    ///   - ownsTransport: Whether invalidating the session shuts the transport down; `false` for a shared one.
    public init(configuration: Configuration = Configuration(), transport: any HTTPTransport, ownsTransport: Bool = true) {
        let cookieStorage = configuration.cookieStorage ?? FoundationCookieStorage()
        session = Session(
            configuration: configuration.session, transport: transport, cookies: cookieStorage.jar, ownsTransport: ownsTransport)
        self.cookieStorage = cookieStorage
        maximumDataSize = configuration.maximumDataSize
        maximumDataTime = configuration.maximumDataTime
        endsExchanges = ownsTransport && transport is AsyncHTTPClientTransport
        state = Mutex(FoundationSessionState())
    }

    /// Creates a session on top of an existing one, with its observers and cookies.
    public init(session: Session) {
        self.session = session
        cookieStorage = FoundationCookieStorage(jar: session.cookies)
        maximumDataSize = Configuration().maximumDataSize
        maximumDataTime = Configuration().maximumDataTime
        endsExchanges = session.ownsTransport && session.transport is AsyncHTTPClientTransport
        state = Mutex(FoundationSessionState())
    }

    /// A description for the application's own use.
    public var sessionDescription: String? {
        get { state.withLock { $0.description } }
        set { state.withLock { $0.description = newValue } }
    }

    /// Whether the session accepts requests.
    public var isValid: Bool { state.withLock { $0.isValid } }
}

// MARK: - Requests

extension FoundationSession {
    /// Creates a task that sends a request. It is suspended until `resume()` is called.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` limits the exchange, including resends and redirects but not logins, until
    ///     the final response's head has arrived. Foundation's default of 60 seconds selects the session's limit.
    ///   - completionHandler: Called once, on any thread, with the final response and its body or with an error.
    @preconcurrency public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FoundationSessionTask {
        makeTask(request, body: nil) { task, outcome in
            switch outcome {
            case .success(let loaded): completionHandler(loaded.data, loaded.response, nil)
            case .failure(let error): completionHandler(nil, task.response, error)
            }
        }
    }

    /// Creates a task that reads a URL. It is suspended until `resume()` is called.
    @preconcurrency public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FoundationSessionTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// Sends a request and returns the final response with its body.
    ///
    /// - Throws: `URLError`; `CountersignError`; the errors of the observers' methods.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await load(request, body: nil)
    }

    /// Reads a URL and returns the final response with its body.
    ///
    /// - Throws: The errors of ``data(for:)``.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url))
    }

    /// Sends a body and returns the final response with its body.
    ///
    /// - Parameters:
    ///   - request: The request. Its own body is ignored.
    ///   - body: The body. After a challenge, a body that cannot be resent causes an error.
    /// - Throws: The errors of ``data(for:)``.
    public func upload(for request: URLRequest, body: RequestBody) async throws -> (Data, URLResponse) {
        try await load(request, body: body)
    }

    /// Sends a request and returns the final response when its head has arrived. The body is read as its bytes arrive.
    ///
    /// Releasing the body, cancelling it, or cancelling the task that reads it ends the exchange. See `ResponseBody.cancel()` for
    /// details.
    ///
    /// - Throws: The errors of ``data(for:)`` until the head has arrived. Later errors are thrown while the body is read.
    public func bytes(for request: URLRequest) async throws -> (ResponseBody, URLResponse) {
        let loaded = try await load(request, body: nil, collecting: false)
        return (loaded.body, loaded.response)
    }

    private func load(_ request: URLRequest, body: RequestBody?) async throws -> (Data, URLResponse) {
        let loaded = try await load(request, body: body, collecting: true)
        return (loaded.data, loaded.response)
    }

    /// Sends a request and returns the final response with its body up to a size limit.
    ///
    /// - Returns: The response, with `nil` as its data if the body exceeds `limit`.
    /// - Throws: The errors of ``data(for:)``.
    package func data(for request: URLRequest, upTo limit: Int) async throws -> (data: Data?, response: URLResponse) {
        let pending = Once<Result<LoadedResponse, any Error>>()
        let task = makeTask(request, body: nil) { _, outcome in pending.complete(outcome) }
        task.maximumDataSize = limit
        do {
            let loaded = try await finish(task, pending)
            return (loaded.data, loaded.response)
        } catch let error as CountersignError where error.code == .responseTooLarge {
            guard let response = task.response else { throw error }
            return (nil, response)
        }
    }

    private func load(_ request: URLRequest, body: RequestBody?, collecting: Bool) async throws -> LoadedResponse {
        // If no observer needs a task, and the session's end also ends the exchange, no separate task is needed.
        guard endsExchanges, !session.showsTasks else {
            return try await loadInTask(request, body: body, collecting: collecting)
        }
        guard beginRequest() else { throw Self.invalidated(request) }
        defer { endRequest() }
        do {
            let loaded = LoadedResponse(try await session.send(try SessionRequest(request, body: body)))
            return collecting ? try await collected(loaded, upTo: maximumDataSize) : loaded
        } catch {
            throw state.withLock({ $0.isCancelled }) ? URLError(.cancelled) : error.forFoundation
        }
    }

    /// Reads the bytes of a response.
    func collected(_ loaded: LoadedResponse, upTo limit: Int) async throws -> LoadedResponse {
        var loaded = loaded
        var data = Data()
        data.reserveCapacity(min(loaded.expectedSize, limit, ResponseBody.maximumReserved))
        try await loaded.body.read(upTo: limit, within: maximumDataTime, clock: session.configuration.clock) {
            data.append(contentsOf: $0)
        }
        loaded.data = data
        return loaded
    }

    private func loadInTask(_ request: URLRequest, body: RequestBody?, collecting: Bool) async throws -> LoadedResponse {
        let pending = Once<Result<LoadedResponse, any Error>>()
        let task = makeTask(request, body: body, collecting: collecting) { _, outcome in pending.complete(outcome) }
        return try await finish(task, pending)
    }

    private func finish(
        _ task: FoundationSessionTask, _ pending: Once<Result<LoadedResponse, any Error>>
    ) async throws -> LoadedResponse {
        try await withTaskCancellationHandler {
            task.resume()
            return try await pending.value().get()
        } onCancel: {
            task.cancel()
        }
    }

    private func makeTask(
        _ request: URLRequest, body: RequestBody?, collecting: Bool = true,
        completion: @escaping @Sendable (FoundationSessionTask, Result<LoadedResponse, any Error>) -> Void
    ) -> FoundationSessionTask {
        let identifier = state.withLock { $0.takeTaskIdentifier() }
        return FoundationSessionTask(
            identifier: identifier, session: self, request: request, body: body, collecting: collecting, completion: completion)
    }
}

// MARK: - Observers

extension FoundationSession {
    /// Adds an observer after the existing ones.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with
    ///   a message that names the observer's class.
    public func register(_ observer: any FoundationSessionObserving) {
        session.register(
            observer.makeSessionObserver(for: self), for: observer, seeingTasks: (observer as? ChallengeObserver)?.seesTasks ?? true
        )
    }

    /// Removes an observer. Does nothing if it is not registered.
    public func unregister(_ observer: any FoundationSessionObserving) { session.unregister(registrant: observer) }
}

// MARK: - Ends

extension FoundationSession {
    /// Ends the user's session by dropping cookies and credentials. The session accepts requests of the next user.
    public func endSession() { session.endSession() }

    /// Logs the user out: ends the user's session, and notifies the servers of methods with a revocation. See `Session.logOut()`.
    ///
    /// - Throws: The error of a server that could not be notified, or of a store that could not delete a credential. The user is
    ///   logged out locally nevertheless.
    public func logOut() async throws { try await session.logOut() }

    /// Stops accepting requests, waits for running tasks, then closes the connections.
    ///
    /// Bodies of ``bytes(for:)`` are not waited for. Read them before calling this method.
    public func finishTasksAndInvalidate() {
        let isIdle = state.withLock { state in
            state.isValid = false
            return state.isIdle
        }
        if isIdle { close(cancelling: false) }
    }

    /// Stops accepting requests, cancels running tasks, and closes the connections.
    public func invalidateAndCancel() {
        let tasks = state.withLock { state in
            state.isValid = false
            state.isCancelled = true
            return Array(state.tasksUnderWay.values)
        }
        for task in tasks { task.cancel() }
        close(cancelling: true)
    }

    private func close(cancelling: Bool) {
        Task { [session] in await session.invalidate(cancelling: cancelling) }
    }

    /// Registers a started task; returns `false` if the session accepts no more requests.
    func begin(_ task: FoundationSessionTask) -> Bool {
        state.withLock { state in
            guard state.takesRequests else { return false }
            state.tasksUnderWay[task.taskIdentifier] = task
            return true
        }
    }

    /// Counts a started request without a task; returns `false` if the session accepts no more requests.
    private func beginRequest() -> Bool {
        state.withLock { state in
            guard state.takesRequests else { return false }
            state.requestsUnderWay += 1
            return true
        }
    }

    private func endRequest() {
        let isLast = state.withLock { state in
            state.requestsUnderWay -= 1
            return !state.isValid && state.isIdle
        }
        if isLast { close(cancelling: false) }
    }

    /// Removes an ended task.
    func end(_ task: FoundationSessionTask) {
        let isLast = state.withLock { state in
            let wasUnderWay = state.tasksUnderWay.removeValue(forKey: task.taskIdentifier) != nil
            return wasUnderWay && !state.isValid && state.isIdle
        }
        if isLast { close(cancelling: false) }
    }
}

extension FoundationSession: ReducedDescription {
    /// The number of cookies and of observers of the runtime's session.
    public var visibleParts: KeyValuePairs<String, String> { session.visibleParts }
}
