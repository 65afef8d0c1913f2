public import Countersign
public import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension FoundationSession {
    /// Makes a task that sends a request; it starts with ``FoundationSessionTask/resume()``.
    ///
    /// - Parameter completionHandler: Called once, on no particular thread: with data and response, or with the error.
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FoundationSessionTask {
        FoundationSessionTask(request: request, session: self, completionHandler: completionHandler)
    }

    /// Makes a task that gets a URL.
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FoundationSessionTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// Sends a request and reads the whole response.
    ///
    /// - Throws: the error of the method that could not answer a challenge; `CountersignError`; `TransportError`;
    ///   `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await exchange(request, body: nil, as: FoundationSessionTask(request: request, session: self))
    }

    /// Gets a URL and reads the whole response.
    ///
    /// - Throws: what ``data(for:)`` throws.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url))
    }

    /// Sends a request with a body that may stream, and reads the whole response.
    ///
    /// - Throws: what ``data(for:)`` throws.
    public func upload(for request: URLRequest, body: RequestBody) async throws -> (Data, URLResponse) {
        try await exchange(request, body: body, as: FoundationSessionTask(request: request, session: self))
    }

    /// Sends a request and returns when the response's head has arrived; the body streams.
    ///
    /// - Throws: what ``data(for:)`` throws.
    public func bytes(for request: URLRequest) async throws -> (ResponseBody, URLResponse) {
        let task = FoundationSessionTask(request: request, session: self)
        let (response, head) = try await send(request, body: nil, as: task)
        return (response.body, head)
    }

    func exchange(_ request: URLRequest, body: RequestBody?, as task: FoundationSessionTask) async throws -> (Data, URLResponse) {
        let (response, head) = try await send(request, body: body, as: task)
        var data = Data()
        for try await piece in response.body { data.append(contentsOf: piece) }
        return (data, head)
    }

    private func send(
        _ request: URLRequest, body: RequestBody?, as task: FoundationSessionTask
    ) async throws -> (SessionResponse, URLResponse) {
        let response = try await session.send(SessionRequest(request, body: body), task: task)
        guard let head = HTTPURLResponse(httpResponse: response.head, url: response.url) else {
            response.body.cancel()
            throw CountersignError(.invalidRequest, detail: "the response cannot be told in Foundation's words", status: response.head.status.code)
        }
        task.note(head)
        return (response, head)
    }
}
