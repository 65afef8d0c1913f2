// snippet: testing
import CountersignTesting
import SAPMobileServices
import SAPMobileServicesTesting
import Testing

@Test(.takesTurns) func `orders arrive although the session has ended`() async throws {
    let mock = try await MockLandscape.start(
        .sapMobileServices, rules: .sapMobileServices)
    let data = try await orders(of: mock.baseURL, for: "com.example.app")
    #expect(!data.isEmpty)
    await mock.stop()
}
// end

import TestTurns
