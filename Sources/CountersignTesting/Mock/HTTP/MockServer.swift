/// The server of a mock: a handler on its own port. Each request is recorded in the current ``MockRequestLog``, if there is one.
final class MockServer: Sendable {
    /// Answers one request.
    typealias Handler = HTTPListener.Handler

    /// The number of bytes of a request's body that are kept. Further bytes are only counted.
    static let keptBodyLength = 64 * 1024

    private let listener: HTTPListener

    private init(_ listener: HTTPListener) { self.listener = listener }

    /// The port that the system chose.
    var port: Int { listener.port }

    /// Binds a port, creates the handler for it, and serves.
    ///
    /// - Parameter make: Creates the handler and a value that depends on the port.
    /// - Returns: The server and the created value.
    static func start<Made: Sendable>(
        tls: MockTLS? = nil, make: @Sendable (_ port: Int) throws -> (Made, Handler)
    ) async throws -> (MockServer, Made) {
        let (listener, made) = try await HTTPListener.start(tls: tls?.configuration) { port in
            let (made, handler) = try make(port)
            guard let log = MockRequestLog.current else { return (made, handler) }
            return (
                made,
                { request in
                    let response = await handler(request)
                    log.note(request, response)
                    return response
                }
            )
        }
        return (MockServer(listener), made)
    }

    /// Closes the port and every connection, and returns when both are closed.
    func stop() async { await listener.stop() }
}
