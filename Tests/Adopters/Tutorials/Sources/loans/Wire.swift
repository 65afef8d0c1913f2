import Countersign
import CountersignAsyncHTTPClient

/// Prints each request with the status of its response.
struct Wire: HTTPTransport {
    private let transport = AsyncHTTPClientTransport()

    func send(
        _ request: SessionRequest
    ) async throws -> SessionResponse {
        let response = try await transport.send(request)
        let path = request.head.path?.prefix { $0 != "?" } ?? "/"
        print(
            request.head.method.rawValue, path,
            "->", response.head.status.code)
        return response
    }

    func shutdown() async throws {
        try await transport.shutdown()
    }
}
