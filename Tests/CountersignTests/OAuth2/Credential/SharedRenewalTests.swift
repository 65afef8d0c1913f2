import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// An authenticator and its observer share their renewals.
@Suite("Renewals of one refresh token", .timeLimit(.minutes(10)))
struct SharedRenewalTests {
    private struct Grant: ProgramParameters {
        static let program = MethodProgram(
            name: "Token", grant: "code", summary: "A token.",
            slots: [.parameter("url"), .credential("refresh", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(
                destinations: [], isForRequested: true, token: CredentialShape.Token(refresh: 1)),
            renewal: CredentialRenewal(
                needs: [1],
                [
                    .token(
                        TokenCall(
                            ProgramTemplate(.slot(0)),
                            form: [
                                HTTPCall.Member("grant_type", "refresh_token"),
                                HTTPCall.Member("refresh_token", ProgramTemplate(.slot(1))),
                            ]))
                ]))
        let url: URL

        var slotValues: [ProgramValue] { [.url(url)] }
    }

    /// A session with the observer of an authenticator, and a token endpoint that waits for the test.
    private struct Bench {
        let answer = Turnstile()
        let store = MemoryTokenStore()
        let transport: ScriptedTransport
        let session: Session
        let authenticator: GrantAuthenticator
        let isFailing = Flag()

        static let origin = "https://api.example"
        static let stale = OAuth2Token(
            accessToken: "access0", tokenType: "Bearer", expiryDate: Date(timeIntervalSinceNow: -60), refreshToken: "refresh0")

        init() throws {
            let (answer, isFailing) = (answer, isFailing)
            transport = ScriptedTransport { sent in
                guard sent.path == "/token" else {
                    return sent["Authorization"] == "Bearer access1" ? .text("data") : Reply(401)
                }
                try await answer.pass()
                guard !isFailing.isSet else { return Reply(503) }
                let token = #"{"access_token":"access1","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh1"}"#
                return Reply(200, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(token.utf8)))
            }
            session = Session(configuration: .test(), transport: transport)
            authenticator = GrantAuthenticator(
                Grant(url: try #require(URL(string: Self.origin + "/token"))), session: session)
            try store.store(token: Self.stale, for: try #require(URL(string: Self.origin + "/")))
            session.register(
                authenticator.observer(named: "Token", store: store, origins: [try Self.url]))
        }

        static var url: URL { get throws { try #require(URL(string: origin + "/data")) } }

        /// The number of calls that wait for the renewal of the stale token.
        var callers: Int {
            (authenticator.source as? GrantSource)?.renewals.callerCount(for: "refresh0") ?? 0
        }
        var tokenRequests: Int { transport.sent.count { $0.path == "/token" } }
        func get() async throws -> String { try await session.send(.to(Self.origin + "/data")).text() }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set(_ isSet: Bool) { value.withLock { $0 = isSet } }
    }

    @Test func `RT-01 a direct renewal joins that of the observer, and the refresh token is sent once`() async throws {
        let bench = try Bench()
        defer { bench.answer.open() }
        let request = Task { try await bench.get() }
        try await awaitCondition { bench.answer.arrivals == 1 }
        let renewal = Task { try await bench.authenticator.refresh(Bench.stale) }
        try await awaitCondition { bench.callers == 2 || bench.tokenRequests == 2 }
        bench.answer.open()
        #expect(try await request.value == "data")
        #expect(try await renewal.value.accessToken == "access1")
        #expect(bench.tokenRequests == 1)
    }

    @Test func `RT-01 the observer's renewal joins a direct one, and the refresh token is sent once`() async throws {
        let bench = try Bench()
        defer { bench.answer.open() }
        let renewal = Task { try await bench.authenticator.refresh(Bench.stale) }
        try await awaitCondition { bench.answer.arrivals == 1 }
        let request = Task { try await bench.get() }
        try await awaitCondition { bench.callers == 2 || bench.tokenRequests == 2 }
        bench.answer.open()
        #expect(try await request.value == "data")
        #expect(try await renewal.value.accessToken == "access1")
        #expect(bench.tokenRequests == 1)
        #expect(try bench.store.token(for: Bench.url)?.refreshToken == "refresh1")
        #expect(try await bench.get() == "data")
        #expect(bench.tokenRequests == 1)
    }

    @Test func `RT-08 one failure is the failure of both, and the next renewal is sent`() async throws {
        let bench = try Bench()
        defer { bench.answer.open() }
        bench.isFailing.set(true)
        let renewal = Task { try await bench.authenticator.refresh(Bench.stale) }
        try await awaitCondition { bench.answer.arrivals == 1 }
        let request = Task { try await bench.get() }
        try await awaitCondition { bench.callers == 2 || bench.tokenRequests == 2 }
        bench.answer.open()
        let failures = [await renewal.error, await request.error].compactMap { $0 as? CountersignError }
        #expect(failures.map(\.code) == [.tokenRequestFailed, .tokenRequestFailed])
        #expect(bench.tokenRequests == 1)
        bench.isFailing.set(false)
        #expect(try await bench.get() == "data")
        #expect(bench.tokenRequests == 2)
    }
}
