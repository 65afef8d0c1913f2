#if os(Linux)
import Testing

/// What becomes of a key where there is no Secret Service. A real one is asked in `.ci/secret-service`: it goes on when who started it
/// has ended, and would keep a test's pipes open.
@Suite(.timeLimit(.minutes(10))) struct SecretServiceTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test(arguments: ["PATH=/nonexistent", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"])
    func `no tool and no service are errors, not empty keyrings`(environment: String) async throws {
        let process = try OtherProcess("use-secret-service", "none", in: scratch, wrapper: [environment])
        #expect(try await process.end() == ["key-unavailable"])
    }
}
#endif
