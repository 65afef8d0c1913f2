import Foundation
import Testing

@testable import Countersign

@Suite("A credential in a store of the application's own kind", .timeLimit(.minutes(10)))
struct PlaceCredentialTests {
    @Test func `RT-03 a credential that comes between a challenge and its answer does not count as refused`() async throws {
        let late = Turnstile()
        defer { late.open() }
        let source = StubSource()
        let bench = try StubBench(
            source,
            before: { sent in
                if sent.path == "/late", sent["Authorization"] == nil { try await late.pass() }
            })
        // The request was sent without a credential, and is challenged when there is one.
        let request = Task { try await bench.get("/late") }
        try await awaitCondition { late.arrivals == 1 }
        #expect(try await bench.get() == "data")
        late.open()
        #expect(try await request.value == "data")
        #expect(source.asked == 1)
        #expect(source.writes == ["user1"])
    }

    @Test func `a request that was begun before a refusal for good gets its error, however late its challenge comes`() async throws
    {
        let source = StubSource()
        let (arrived, refused) = (Gate(), Turnstile())
        let bench = try StubBench(
            source, .single,
            before: { sent in
                guard sent.path == "/late", sent["Authorization"] == nil else { return }
                arrived.open()
                try await refused.pass()
            },
            accepts: { _, _ in false })
        let late = Task { try await bench.get("/late") }
        await arrived.pass("the late request", sourceLocation: #_sourceLocation)
        await expectError(.challengedAgain) { _ = try await bench.get() }
        refused.open()
        await expectError(.challengedAgain) { _ = try await late.value }
        #expect(source.asked == 1)
        // A request that starts now begins a new login.
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(source.asked == 2)
    }

    @Test(arguments: PlaceCredentialLogoutTests.attachments)
    func `RT-19 a credential that cannot be stored is used, and stored later`(_ attachment: StubAttachment) async throws {
        let source = StubSource()
        let bench = try StubBench(source, attachment)
        source.failToStore(true)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.notStored) == 1)
        source.failToStore(false)
        #expect(try await bench.get() == "data")
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        try await awaitCondition { source.stored == "user1" }
        #expect(source.writes == ["user1"])
        #expect(source.asked == 1)
    }

    @Test func `RT-19 a credential that could not be stored is not stored after a logout`() async throws {
        let source = StubSource()
        let bench = try StubBench(source)
        source.failToStore(true)
        #expect(try await bench.get() == "data")
        source.failToStore(false)
        bench.session.endSession()
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        #expect(source.writes == ["-", "user2"])
    }
}
