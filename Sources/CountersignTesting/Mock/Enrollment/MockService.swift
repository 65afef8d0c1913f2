/// A server of the landscape that no method of its description needs.
protocol MockService: Sendable {
    /// The answer to a request for one of its addresses; `nil` if the address is another.
    func respond(to request: MockRequest) -> MockResponse?
}
