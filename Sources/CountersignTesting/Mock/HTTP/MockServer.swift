/// The server of a mock: its handler on a port of its own, with an entry in the current ``MockRequestLog`` for each request.
final class MockServer: Sendable {
    /// Answers one request.
    typealias Handler = HTTPListener.Handler

    /// How much of a request's body is kept; the rest is counted.
    static let keptBodyLength = 64 * 1024

    private let listener: HTTPListener

    private init(_ listener: HTTPListener) { self.listener = listener }

    /// The port that the system chose.
    var port: Int { listener.port }

    /// Binds a port, makes the handler for it, and serves.
    ///
    /// - Parameter make: Makes the handler, and whatever else needs the port.
    /// - Returns: The server, and what was made.
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
