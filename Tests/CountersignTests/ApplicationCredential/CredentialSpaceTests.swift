import Foundation
import HTTPTypes
import Testing

@testable import Countersign

@Suite("The credential of one place", .timeLimit(.minutes(10)))
struct CredentialSpaceTests {
    @Test func `RT-03 a credential that comes between a challenge and its answer does not count as refused`() async throws {
        let source = StubSource()
        let bench = try StubBench(source, afterResend: [.delete, .again(atMost: 3)])
        let url = try #require(URL(string: StubBench.origin))
        let origin = try #require(Origin(url))
        let place = CredentialPlace(origin: origin)
        let method = CredentialMethod(
            name: "Stub", summary: "A credential.", challenges: [], attachment: .basic,
            authenticate: [.load, .ask(failure: { _ in nil }), .store], afterResend: [.delete, .again(atMost: 3)], errors: [],
            mock: MockDescription())
        let space = CredentialSpace(
            place, number: 1, method: method, source: source,
            limits: FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true), clock: bench.clock, review: nil,
            failed: { _ in }, report: { _ in })
        let question = CredentialQuestion(place: place, url: url)
        let exchange = ExchangeContext(
            session: bench.session, request: HTTPRequest(method: .get, url: url), url: url, origin: origin, task: nil)
        // Two requests were challenged without a credential. The first gets one before the second joins the authentication.
        let observed = try space.observed(by: .none, begun: .none)
        try await space.ensureOther(than: .none, signature: nil, question, for: exchange)
        try await space.ensureNewer(than: observed, signature: nil, question, for: exchange)
        #expect(source.asked == 1)
        #expect(source.writes == ["user1"])
    }

    @Test func `a request that was begun before a refusal for good gets its error, however late its challenge comes`() async throws
    {
        let source = StubSource()
        let (arrived, refused) = (Gate(), Turnstile())
        let bench = try StubBench(
            source, afterResend: [.delete],
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
        // A request that is begun now starts over.
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(source.asked == 2)
    }

    @Test(arguments: CredentialLogoutTests.attachments)
    func `RT-19 a credential that cannot be stored is used, and stored later`(_ attachment: CredentialAttachment) async throws {
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
