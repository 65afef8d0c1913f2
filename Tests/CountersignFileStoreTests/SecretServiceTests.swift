#if os(Linux)
import Foundation
import TestTurns
import Testing

/// The store without a Secret Service. A real one is tested in `.ci/secret-service`, because it outlives the process that started
/// it and would keep a test's pipes open.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SecretServiceTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test(arguments: ["PATH=/nonexistent", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"])
    func `no tool and no service are errors, not empty keyrings`(environment: String) async throws {
        let process = try OtherProcess("use-secret-service", "none", in: scratch, wrapper: [environment])
        #expect(try await process.end() == ["key-unavailable"])
    }

    @Test func `a tool that does not answer in time is ended, and leaves nothing running`() async throws {
        let folder = scratch.store.deletingLastPathComponent().appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tool = folder.appending(path: "secret-tool")
        // The number identifies the processes of this test, whether or not the shell has executed `sleep` yet.
        let seconds = "\(Int.random(in: 1_000_000..<2_000_000))"
        try Script.write("#!/bin/sh\nexec sleep \(seconds)\n", to: tool.path(percentEncoded: false))
        let path = "PATH=\(folder.path(percentEncoded: false)):/usr/bin:/bin"
        let process = try OtherProcess("use-hanging-secret-service", "none", in: scratch, wrapper: [path])
        #expect(try await process.end() == ["key-unavailable"])
        let running = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap {
            // A process that has ended meanwhile has no such file.
            try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)
        }
        #expect(!running.isEmpty)
        #expect(!running.contains { $0.contains(tool.path(percentEncoded: false)) || $0.contains(seconds) })
    }
}
#endif
