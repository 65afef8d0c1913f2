// The tests of the article "A landscape from nothing".

// snippet: test
import CityLibrary
import CountersignTesting
import Testing

@Test(.takesTurns) func `one login opens the loans`() async throws {
    try await MockLandscape.run(.cityLibrary, rules: .described) { mock in
        let data = try await loans(
            at: mock.baseURL, card: "alice", pin: "wonderland")
        #expect(String(decoding: data, as: UTF8.self).contains("alice"))
        #expect(mock.statistics.logins == 1)
    }
}

@Test(.takesTurns) func `a wrong PIN is an error of its own`() async throws {
    try await MockLandscape.run(.cityLibrary, rules: .described) { mock in
        let error = await #expect(throws: LibraryLoginError.self) {
            _ = try await loans(at: mock.baseURL, card: "alice", pin: "0000")
        }
        #expect(error?.code == "refused")
    }
}
// end

import TestTurns
