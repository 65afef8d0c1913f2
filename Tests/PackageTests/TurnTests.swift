import TestTurns
import Testing

@Suite(.takesTurns) struct `Turns of tests` {
    /// Targets with injected time and transport, and short computations.
    private static let free: Set = ["CountersignTests", "CountersignSAPTests", "CountersignWebKitTests"]

    @Test func `each file of tests with sockets, processes or real time takes turns`() throws {
        let traits = [".takesTurns", ".takesAllTurns", ".computes", ".sleeps"]
        var seen = 0
        for target in try PackageManifest.load().targets where target.type == "test" && !Self.free.contains(target.name) {
            for file in try SourceFiles.swift(under: target.path ?? "Tests/\(target.name)") {
                if file.text.contains("\n    @Test") {
                    seen += 1
                    #expect(traits.contains { file.text.contains($0) }, "\(file.path)")
                }
                // A test that belongs to no suite has the trait itself.
                for line in file.text.split(separator: "\n") where line.hasPrefix("@Test") {
                    #expect(traits.contains { line.contains($0) }, "\(file.path): \(line)")
                }
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

    @Test func `a test that takes all turns runs beside no other, and none that comes later overtakes it`() async throws {
        let turns = Turns(width: 2)
        let (first, endFirst) = AsyncStream.makeStream(of: Void.self)
        async let before: Void = turns.take { for await _ in first {} }
        while turns.taken == 0 { await Task.yield() }
        async let alone = turns.take(2) { turns.taken }
        while turns.waiting < 1 { await Task.yield() }
        async let after = turns.take { turns.taken }
        while turns.waiting < 2 { await Task.yield() }
        #expect(turns.taken == 1)
        endFirst.finish()
        try await before
        #expect(try await alone == 2)
        #expect(try await after == 1)
        #expect(turns.taken == 0)
    }
}
