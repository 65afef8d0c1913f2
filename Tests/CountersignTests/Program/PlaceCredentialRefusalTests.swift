import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Refusals of servers, failures of stores and applications, and other observers that attach credentials.
@Suite("Refusals and failures of an application's credential", .timeLimit(.minutes(10)))
struct PlaceCredentialRefusalTests {
    @Test func `a stored credential that is refused counts among those that are`() async throws {
        let source = StubSource()
        source.put("stored")
        let bench = try StubBench(source, accepts: { _, _ in false })
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.credentials == [nil, "stored", "user1", "user2", "user3"])
        #expect(source.stored == nil)
    }

    @Test func `a page that is open to all accepts no credential in the place of one that is not`() async throws {
        let source = StubSource()
        let session = Mutex<Session?>(nil)
        let bench = try StubBench(
            source,
            before: { sent in
                guard sent.path == "/data", sent["Authorization"] != nil else { return }
                _ = try await session.withLock { $0 }?.send(.to(StubBench.origin + "/open")).text()
            },
            accepts: { _, sent in sent.path == "/open" })
        session.withLock { $0 = bench.session }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(source.asked == 4)
        #expect(source.stored == nil)
        // Later refusals are counted from zero.
        bench.clock.advance(by: .seconds(31))
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(source.asked == 8)
    }

    @Test func `what a server asks for takes the place of what another observer attaches`() async throws {
        let source = StubSource()
        let bench = try StubBench(source, behind: Bearer(), accepts: { name, _ in name == "user1" })
        #expect(try await bench.get() == "data")
        #expect(try await bench.get() == "data")
        #expect(source.asked == 1)
        #expect(bench.credentials == ["Bearer token", "user1", "Bearer token", "user1"])
    }

    @Test func `an error of a store that the application asks is the application's own`() async throws {
        let failure = CredentialStoreError(.lockTimedOut, detail: "the application's own store")
        let source = StubSource { _, _ in throw failure }
        let bench = try StubBench(source)
        let error = await #expect(throws: CredentialStoreError.self) { _ = try await bench.get() }
        #expect(error?.detail == failure.detail)
        #expect(source.asked == 1)
        #expect(bench.events.count(.notStored) == 0)
    }

    @Test func `an application whose own server cannot be reached has its error`() async throws {
        let failure = TransportError(
            .connect, detail: "the application's own server", requestMayHaveBeenProcessed: false)
        let bench = try StubBench(StubSource { _, _ in throw failure })
        let error = await #expect(throws: TransportError.self) { _ = try await bench.get() }
        #expect(error?.detail == failure.detail)
    }

    @Test func `a refused credential that could not be stored does not take the place of another later`() async throws {
        let source = StubSource { number, _ in
            guard number == 1 else { throw CancellationError() }
            return "refused"
        }
        let bench = try StubBench(source, accepts: { name, _ in name == "other" })
        source.failToStore(true)
        await expectError(.cancelled) { _ = try await bench.get() }
        source.failToStore(false)
        source.put("other")
        #expect(try await bench.get() == "data")
        bench.clock.advance(by: .seconds(60))
        #expect(try await bench.get() == "data")
        // Gives time to a write that would run concurrently with the requests.
        for _ in 0..<1_000 where source.writes.isEmpty { await Task.yield() }
        #expect(source.stored == "other")
        #expect(source.writes == [])
    }

    @Test func `a refused credential in whose place another session has stored one leaves that alone`() async throws {
        let source = StubSource()
        let good = Mutex("user1")
        let benches = try (0..<2).map { _ in try StubBench(source, accepts: { name, _ in name == good.withLock { $0 } }) }
        for bench in benches { #expect(try await bench.get() == "data") }
        good.withLock { $0 = "user2" }
        for bench in benches { #expect(try await bench.get() == "data") }
        #expect(source.asked == 2)
        #expect(source.stored == "user2")
    }

    @Test func `what could not be deleted at a logout is not the next user's, however late it was stored`() async throws {
        let storing = Turnstile()
        defer { storing.open() }
        let source = StubSource(beforeStoring: { name in
            if name == "user1" { await Task { try? await storing.pass() }.value }
        })
        let bench = try StubBench(source)
        let former = Task { try await bench.get() }
        try await awaitCondition { storing.arrivals == 1 }
        source.failToDelete(true)
        bench.session.endSession()
        #expect((await former.error as? CountersignError)?.code == .sessionEnded)
        storing.open()
        try await awaitCondition { source.writes.contains("user1") }
        #expect(try await bench.get() == "data")
        #expect(bench.credentials.compactMap(\.self) == ["user2"])
    }

    @Test func `a request that begins while a session ends carries nothing of the user before`() async throws {
        let ending = Ending()
        let bench = try StubBench(StubSource(), behind: ending)
        #expect(try await bench.get() == "data")
        let early = Mutex<Task<String, any Error>?>(nil)
        ending.during { [bench] in
            let task = Task { try await bench.get("/early") }
            early.withLock { $0 = task }
            let end = ContinuousClock.now.advanced(by: longestWait)
            while ContinuousClock.now < end, !bench.transport.sent.contains(where: { $0.path == "/early" }) { usleep(1_000) }
        }
        // The wait blocks its thread, which must not be one of the pool, where the early request runs.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                bench.session.endSession()
                continuation.resume()
            }
        }
        let task = try #require(early.withLock { $0 })
        #expect(try await task.value == "data")
        let sent = bench.transport.sent.filter { $0.path == "/early" }
        #expect(sent.first?["Authorization"] == nil)
        #expect(sent.last?["Authorization"] == "user2")
    }
}

/// An observer that attaches a token without a challenge.
private final class Bearer: SessionObserver {
    let name = "Bearer"

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment {
        request.headerFields[.authorization] = "Bearer token"
        return .ready(Generation(1))
    }
}

/// An observer that runs a function while the user's session ends.
private final class Ending: SessionObserver {
    let name = "Ending"
    private let work = Mutex<(@Sendable () -> Void)?>(nil)

    func during(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0 = work } }

    func didEndSession(_ session: Session) { work.withLock { $0 }?() }
}
