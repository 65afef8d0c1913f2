import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A step that revokes the token in a slot.
private func revocation(of slot: Int) -> ProgramStep {
    .http(
        HTTPCall(
            "DELETE", ProgramTemplate(.text("https://login.example/token")),
            headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(slot)))],
            answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))
}

/// A step that obtains a token.
private func tokenRequest(_ form: NamedList<HTTPCall.Member>) -> ProgramStep {
    .token(TokenCall(ProgramTemplate(.text("https://login.example/token")), form: form))
}

/// A grant whose user logs in on a page, and whose server revokes tokens.
private struct PageGrant: ProgramParameters {
    static let program = MethodProgram(
        name: "Token", grant: "code", summary: "A token.",
        slots: [
            .parameter("callback"), .credential("access_token", isSecret: true), .credential("refresh_token", isSecret: true),
        ],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(
            destinations: [], isForRequested: true, token: CredentialShape.Token(access: 1, refresh: 2)),
        acquire: [
            .present(
                LoginPage(
                    ProgramTemplate(.text("https://login.example/login")), query: [], redirect: 0,
                    verify: [HTTPCall.Member("state", "s")],
                    answers: [HTTPCall.Answer(ChallengePattern("code", query: [ChallengePattern.Named("code", .present)]))])),
            tokenRequest([HTTPCall.Member("grant_type", "authorization_code")]),
        ],
        renewal: CredentialRenewal([tokenRequest([HTTPCall.Member("refresh_token", ProgramTemplate(.slot(2)))])]),
        rejections: [RejectionRule(.acquire)],
        end: [.when([.present(2)], revocation(of: 2)), revocation(of: 1)])

    static let callback = URL(string: "com.example:/callback")

    var slotValues: [ProgramValue] { [Self.callback.map { .url($0) } ?? .absent] }
}

/// A step that has a server check something.
private let check = ProgramStep.http(
    HTTPCall(
        "POST", ProgramTemplate(.text("https://login.example/check")),
        answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))

/// A grant with a check after each token.
private struct CheckedGrant: ProgramParameters {
    static let program = PageGrant.program.with(
        grant: "checked", slots: PageGrant.program.slots, credential: PageGrant.program.credential,
        acquire: PageGrant.program.acquire + [check],
        renewal: CredentialRenewal((PageGrant.program.renewal?.steps ?? []) + [check]), end: PageGrant.program.end)

    var slotValues: [ProgramValue] { PageGrant().slotValues }
}

/// A grant with a check between the page and the token.
private struct EarlierCheckGrant: ProgramParameters {
    static let program = PageGrant.program.with(
        grant: "earlier", slots: PageGrant.program.slots, credential: PageGrant.program.credential,
        acquire: [PageGrant.program.acquire[0], check, PageGrant.program.acquire[1]], end: PageGrant.program.end)

    var slotValues: [ProgramValue] { PageGrant().slotValues }
}

/// A grant of a service, with a check after each token.
private struct ServiceGrant: ProgramParameters {
    static let program = PageGrant.program.with(
        grant: "service", slots: PageGrant.program.slots, credential: PageGrant.program.credential,
        acquire: [tokenRequest([HTTPCall.Member("grant_type", "client_credentials")]), check], end: PageGrant.program.end)

    var slotValues: [ProgramValue] { PageGrant().slotValues }
}

/// A grant that runs once, before the other one.
private struct OnceGrant: OneTimeParameters {
    static let program = MethodProgram(
        name: "Token", grant: "once", summary: "A token.", slots: [], challenges: PageGrant.program.challenges,
        credential: CredentialShape(destinations: [], isForRequested: true, token: CredentialShape.Token()),
        acquire: [tokenRequest([HTTPCall.Member("grant_type", "password")])])
    static let life: Duration? = nil

    var next: PageGrant { PageGrant() }
    var slotValues: [ProgramValue] { [] }
}

/// Logouts that revoke OAuth 2.0 tokens.
@Suite("Revocation of tokens", .timeLimit(.minutes(10)))
struct TokenRevocationTests {
    /// The numbers of tokens, from 1 on.
    private final class Numbers: Sendable {
        private let latest = Mutex(0)

        func next() -> Int {
            latest.withLock { latest in
                latest += 1
                return latest
            }
        }
    }

    /// The responses to checks, which wait for the test.
    private final class Checks: Sendable {
        let gate = Turnstile()
        /// The status of the responses.
        let status = Mutex(204)
        private let cancelled = Mutex(false)

        /// Whether a check was cancelled.
        var isCancelled: Bool { cancelled.withLock(\.self) }

        func answer() async throws -> Reply {
            do {
                try await gate.pass()
            } catch {
                cancelled.withLock { $0 = true }
                throw error
            }
            return Reply(status.withLock(\.self))
        }
    }

    /// A session with the observer of an authenticator, which has its own session for its requests.
    private struct Bench {
        let checks = Checks()
        let store = MemoryTokenStore()
        let events = EventRecorder()
        /// The token requests, which wait for the test.
        let gate = Turnstile()
        /// The authorization server.
        let server: ScriptedTransport
        let session: Session

        static let origin = "https://api.example"

        /// - Parameter status: The status of the responses to revocations.
        init(
            status: Int = 204, review: AuthenticationReview? = nil,
            _ make: (Session, any WebPresenter) -> GrantAuthenticator = {
                GrantAuthenticator(PageGrant(), session: $0, presenter: $1)
            }
        ) throws {
            let (gate, checks, issued) = (gate, checks, Numbers())
            server = ScriptedTransport { sent in
                if sent.method == .delete { return Reply(status) }
                if sent.path == "/check" { return try await checks.answer() }
                try await gate.pass()
                let number = issued.next()
                let token = """
                    {"access_token":"access\(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh\(number)"}
                    """
                return Reply(200, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(token.utf8)))
            }
            let callback = try #require(PageGrant.callback)
            let presenter = ScriptedPresenter { presentation in
                WebPresentationResult(
                    finishURL: callback.appending(queryItems: [
                        URLQueryItem(name: "code", value: "c"), URLQueryItem(name: "state", value: "s"),
                    ]), cookies: presentation.cookies)
            }
            session = Session(
                configuration: .test(events: events),
                transport: ScriptedTransport { $0["Authorization"] == nil ? Reply(401) : .text("data") })
            let url = try #require(URL(string: Self.origin))
            let authenticator = make(Session(configuration: .test(), transport: server), presenter)
            session.register(authenticator.observer(named: "TokenObserver", store: store, origins: [url], review: review))
        }

        /// The revoked tokens, in order.
        var revoked: [String] { server.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] } }

        /// The URL of the stored token.
        var root: URL { get throws { try #require(URL(string: Self.origin + "/")) } }

        func get() async throws -> String { try await session.send(.to(Self.origin + "/data")).text() }
    }

    @Test func `a logout revokes both tokens once, in the authenticator's session`() async throws {
        let bench = try Bench()
        bench.gate.open()
        #expect(try await bench.get() == "data")
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh1", "access1"])
        try await bench.session.logOut()
        #expect(bench.revoked.count == 2)
        #expect(try await bench.get() == "data")
        #expect(bench.server.sent.last?.method == .post)
    }

    @Test func `a stored token that no request has carried is revoked and deleted`() async throws {
        let bench = try Bench()
        let url = try bench.root
        try bench.store.store(token: OAuth2Token(accessToken: "kept", tokenType: "Bearer"), for: url)
        try await bench.session.logOut()
        // There is no refresh token.
        #expect(bench.revoked == ["kept"])
        #expect(bench.store.token(for: url) == nil)
    }

    @Test func `a renewed token is revoked, and not the one before`() async throws {
        let bench = try Bench()
        bench.gate.open()
        let expired = OAuth2Token(
            accessToken: "old", tokenType: "Bearer", expiryDate: Date(timeIntervalSince1970: 0), refreshToken: "used")
        try bench.store.store(token: expired, for: bench.root)
        #expect(try await bench.get() == "data")
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh1", "access1"])
    }

    @Test func `a token that the server issues to a login after the logout is revoked`() async throws {
        let bench = try Bench()
        defer { bench.gate.open() }
        let request = Task { try await bench.get() }
        await bench.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        bench.gate.open()
        try await logout.value
        #expect(bench.revoked == ["refresh1", "access1"])
        #expect(try bench.store.token(for: bench.root) == nil)
    }

    @Test func `a token that a review has rejected is revoked`() async throws {
        struct Rejected: Error {}
        let bench = try Bench(review: AuthenticationReview(review: { _, _ in throw Rejected() }))
        bench.gate.open()
        await #expect(throws: Rejected.self) { try await bench.get() }
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh1", "access1"])
    }

    private static let grants: [@Sendable (Session, any WebPresenter) -> GrantAuthenticator] = [
        { GrantAuthenticator(CheckedGrant(), session: $0, presenter: $1) },
        { GrantAuthenticator(ServiceGrant(), session: $0, presenter: $1) },
    ]

    @Test(arguments: grants.indices)
    func `a token that a step after it has made useless is revoked by the next logout`(_ index: Int) async throws {
        let bench = try Bench(Self.grants[index])
        bench.gate.open()
        bench.checks.gate.open()
        bench.checks.status.withLock { $0 = 404 }
        await expectError(.unexpectedAnswer) { _ = try await bench.get() }
        #expect(bench.revoked.isEmpty)
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh1", "access1"])
        try await bench.session.logOut()
        #expect(bench.revoked.count == 2)
    }

    @Test(arguments: grants.indices)
    func `a token that arrives after the logout is revoked, and the step after it does not run`(_ index: Int) async throws {
        let bench = try Bench(Self.grants[index])
        defer { bench.gate.open() }
        let request = Task { try await bench.get() }
        await bench.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        bench.gate.open()
        try await logout.value
        #expect(bench.revoked == ["refresh1", "access1"])
        #expect(!bench.server.sent.contains { $0.path == "/check" })
    }

    @Test func `a renewal whose later step fails keeps the new refresh token, and a logout revokes that`() async throws {
        let bench = try Bench(Self.grants[0])
        bench.gate.open()
        bench.checks.gate.open()
        bench.checks.status.withLock { $0 = 404 }
        let expired = OAuth2Token(
            accessToken: "old", tokenType: "Bearer", expiryDate: Date(timeIntervalSince1970: 0), refreshToken: "used")
        try bench.store.store(token: expired, for: bench.root)
        await expectError(.unexpectedAnswer) { _ = try await bench.get() }
        #expect(try bench.store.token(for: bench.root)?.refreshToken == "refresh1")
        await expectError(.unexpectedAnswer) { _ = try await bench.get() }
        var forms: [String] = []
        for sent in bench.server.sent where sent.path == "/token" {
            forms.append(String(decoding: try await sent.body(), as: UTF8.self))
        }
        #expect(forms == ["refresh_token=used", "refresh_token=refresh1"])
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh2", "old"])
    }

    @Test func `a request before the token is cancelled when the user's session is invalidated`() async throws {
        let bench = try Bench { GrantAuthenticator(EarlierCheckGrant(), session: $0, presenter: $1) }
        defer { bench.checks.gate.open() }
        let request = Task { try await bench.get() }
        await bench.checks.gate.arrivals(1)
        await bench.session.invalidate(cancelling: true)
        await #expect(throws: (any Error).self) { _ = try await request.value }
        #expect(await comesTrue { bench.checks.isCancelled })
    }

    @Test func `the token of a grant that runs once is revoked by the steps of the next one`() async throws {
        let bench = try Bench { GrantAuthenticator(OnceGrant(), session: $0, presenter: $1) }
        bench.gate.open()
        #expect(try await bench.get() == "data")
        try await bench.session.logOut()
        #expect(bench.revoked == ["refresh1", "access1"])
    }

    @Test func `a logout fails if the server revokes nothing, and the token is gone nevertheless`() async throws {
        let bench = try Bench(status: 500)
        bench.gate.open()
        #expect(try await bench.get() == "data")
        await expectError(.unexpectedAnswer) { try await bench.session.logOut() }
        // Each step runs independently of the others.
        #expect(bench.revoked == ["refresh1", "access1"])
        #expect(try bench.store.token(for: bench.root) == nil)
    }

    @Test func `the local end of a user's session revokes nothing`() async throws {
        let bench = try Bench()
        bench.gate.open()
        #expect(try await bench.get() == "data")
        bench.session.endSession()
        try await bench.session.logOut()
        #expect(bench.revoked.isEmpty)
    }
}
