extension MockServer {
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
