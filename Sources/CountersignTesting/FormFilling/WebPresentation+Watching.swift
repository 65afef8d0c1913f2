package import Countersign

extension WebPresentation {
    /// The same presentation, which tells of each request before it is sent.
    ///
    /// A presenter asks for its first page once it has taken the mover's URLs, so an application that is to bring one can come then.
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
