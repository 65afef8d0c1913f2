extension MockServer {
    /// Does something with servers, and stops them then, whatever has become of it.
    ///
    /// - Parameter gates: What requests may be held at; they are let go.
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
