import TestTurns
import Testing

@Suite(.takesTurns) struct `Turns of tests` {
    /// Their time and their transport are injected, and what they compute is short.
    private static let free: Set = ["CountersignTests", "CountersignSAPTests", "CountersignWebKitTests"]

    @Test func `each file of tests with sockets, processes or real time takes turns`() throws {
        var seen = 0
        for target in try PackageManifest.load().targets where target.type == "test" && !Self.free.contains(target.name) {
            for file in try SourceFiles.swift(under: target.path ?? "Tests/\(target.name)") where file.text.contains("\n    @Test")
            {
                seen += 1
                #expect(file.text.contains(".takesTurns"), "\(file.path)")
            }
        }
        #expect(seen > 100, "the tests were not found")
    }

    @Test func `no more tests run at a time than there are places`() async throws {
        let turns = Turns(width: 2)
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await turns.take {
                        await Task.yield()
                        return turns.taken
                    }
                }
            }
            return try await group.reduce(0, max)
        }
        #expect((1...2).contains(most))
        #expect(turns.taken == 0)
    }
}
