import Foundation

extension MockServer {
    /// Starts a server, runs `body` with its URL, and stops it, also if `body` throws.
    ///
    /// - Parameters:
    ///   - path: The path of the URL.
    ///   - gates: The gates that may hold requests.
    ///   - answer: Answers the requests.
    static func run<Value>(
        path: String = "/", with gates: MockGates, answer: @escaping Handler, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        let (server, url) = try await start { port in (URL(serverAt: port, path: path), answer) }
        return try await stop([server], with: gates) { try await body(url) }
    }

    /// Runs `body`, and then stops the servers, also if `body` throws.
    ///
    /// - Parameter gates: The gates that may hold requests. They are opened before the servers are stopped.
    static func stop<Value>(
        _ servers: [MockServer], with gates: MockGates, after body: () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        gates.openAll()
        for server in servers { await server.stop() }
        return try result.get()
    }
}
