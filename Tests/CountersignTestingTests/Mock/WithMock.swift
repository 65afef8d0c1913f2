import CountersignTesting

/// The field of the sample landscape's challenge.
let challengeField = "com.sap.cloud.security.login"

/// Runs a test with a mock of the sample landscape and a client for it, and closes both at the end.
func withMock(
    _ sample: SampleLandscape = SampleLandscape(), options: MockOptions = MockOptions(),
    _ body: (MockLandscape, RawClient) async throws -> Void
) async throws {
    try await MockLandscape.run(sample.landscape, rules: sample.rules, options: options) { mock in
        try await RawClient.run { client in try await body(mock, client) }
    }
}
