package import Countersign

extension WebPresentation {
    /// Returns the same presentation with a function that is called before each request.
    ///
    /// The presenter requests its first page after it has subscribed to the mover's URLs, so another application can send one from
    /// then on.
    package func watched(_ note: @escaping @Sendable () -> Void) -> WebPresentation {
        WebPresentation(
            authenticationMethod: authenticationMethod, url: url, finish: finish, jar: jar,
            transport: WatchedTransport(base: transport, note: note), mover: mover)
    }
}

private struct WatchedTransport: HTTPTransport {
    let base: any HTTPTransport
    let note: @Sendable () -> Void

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        note()
        return try await base.send(request)
    }

    func shutdown() async throws {}
}
