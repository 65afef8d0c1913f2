public import Countersign
public import Foundation
internal import Synchronization
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Requests with the types of Foundation.

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
