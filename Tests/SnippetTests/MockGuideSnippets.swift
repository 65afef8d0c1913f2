// The code of the guide "Testing with a mock", compiled, and run against the mocks.

// snippet: client
import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import OAuth

/// The notes of a user. It takes from its caller what a test replaces.
struct NotesClient {
    let api: URL
    let session: Session

    init(
        api: URL, parameters: AuthorizationCodeParameters,
        configuration: SessionConfiguration,
        store: (any CredentialStore)? = nil,
        transport: any HTTPTransport = AsyncHTTPClientTransport()
    ) {
        self.api = api
        session = Session(
            configuration: configuration, transport: transport)
        session.register(
            AuthorizationCodeObserver(parameters: parameters, store: store))
    }

    func notes() async throws -> String {
        let request = HTTPRequest(url: api.appending(path: "notes"))
        let response = try await session.send(SessionRequest(request))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        guard response.head.status == .ok else { throw NotesError() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct NotesError: Error {}
// end

// snippet: mock
import CountersignTesting
import Testing

/// The parameters of a client of the mock.
func parameters(
    of server: MockAuthorizationServer
) throws -> AuthorizationCodeParameters {
    AuthorizationCodeParameters(
        apis: [server.baseURL],
        authorizationURL: server.authorizationEndpoint,
        tokenURL: server.tokenEndpoint, clientID: MockOAuth2Client.app.id,
        redirectURL: try #require(URL(string: "http://127.0.0.1/callback")),
        issuer: server.baseURL.absoluteString)
}

/// Runs a test with a mock server and a client of it, then ends both.
func withNotes(
    _ user: any WebPresenter = FormFillingPresenter(
        user: "alice", password: "wonderland"),
    clock: any Clock<Duration> = ContinuousClock(),
    store: (any CredentialStore)? = nil,
    _ test: (NotesClient, MockAuthorizationServer) async throws -> Void
) async throws {
    try await MockAuthorizationServer.run { server in
        var configuration = SessionConfiguration()
        configuration.presenter = user
        configuration.clock = clock
        let client = NotesClient(
            api: server.baseURL, parameters: try parameters(of: server),
            configuration: configuration, store: store)
        do {
            try await test(client, server)
        } catch {
            Issue.record(error)
        }
        await client.session.invalidate(cancelling: true)
    }
}
// end

import TestTurns

/// The tests of the guide whose code imports nothing.
@Suite(.takesTurns) struct `Testing with a mock` {
    // snippet: count
    @Test func `ten requests at once cause one login`() async throws {
        try await withNotes { client, server in
            server.hold("/notes", until: 10)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask { _ = try await client.notes() }
                }
                try await group.waitForAll()
            }
            #expect(server.statistics.challenges == 10)
            #expect(server.statistics.loginForms == 1)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(server.statistics.resources == 10)
        }
    }
    // end
}

// snippet: dismiss
import Synchronization

/// A user who closes the first login pages.
final class HesitantUser: WebPresenter {
    private let dismissals: Mutex<Int>
    private let user = FormFillingPresenter(
        user: "alice", password: "wonderland")

    init(dismissing dismissals: Int) {
        self.dismissals = Mutex(dismissals)
    }

    func present(
        _ presentation: WebPresentation
    ) async throws -> WebPresentationResult {
        let dismisses = dismissals.withLock { count in
            defer { count -= 1 }
            return count > 0
        }
        guard !dismisses else { throw PresentationFailure.dismissed }
        return try await user.present(presentation)
    }
}

@Test(.takesTurns) func `after a dismissal the next request asks again`() async throws {
    try await withNotes(HesitantUser(dismissing: 1)) { client, server in
        let error = await #expect(throws: CountersignError.self) {
            _ = try await client.notes()
        }
        #expect(error?.code == .cancelled)
        _ = try await client.notes()
        #expect(server.statistics.authorizations == 1)
    }
}
// end

extension `Testing with a mock` {
    // snippet: faults
    @Test func `a token endpoint in trouble ends no session`() async throws {
        try await withNotes { client, server in
            _ = try await client.notes()
            server.expireAccessTokens()
            server.inject(.status(503), for: .refreshToken)
            await #expect(throws: CountersignError.self) {
                _ = try await client.notes()
            }
            _ = try await client.notes()
            #expect(server.statistics.loginForms == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `an answer of another login is refused`() async throws {
        try await withNotes { client, server in
            server.inject(.values("state", ["foreign"]))
            let error = await #expect(throws: CountersignError.self) {
                _ = try await client.notes()
            }
            #expect(error?.code == .answerRefused)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }
    // end

    // snippet: clock
    /// The machine's clock, which a test can set forward.
    final class ForwardClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let clock = ContinuousClock()
        private let shift = Mutex(Duration.zero)

        var now: Instant { clock.now.advanced(by: shift.withLock { $0 }) }
        var minimumResolution: Duration { clock.minimumResolution }

        func advance(by time: Duration) { shift.withLock { $0 += time } }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            let shift = shift.withLock { $0 }
            try await clock.sleep(
                until: deadline.advanced(by: .zero - shift), tolerance: tolerance)
        }
    }

    @Test func `an expired token is renewed before the request`() async throws {
        let clock = ForwardClock()
        try await withNotes(clock: clock) { client, server in
            _ = try await client.notes()
            clock.advance(by: .seconds(3601))
            server.advance(by: .seconds(3601))
            _ = try await client.notes()
            #expect(server.statistics.challenges == 1)
            #expect(server.statistics.refreshes == 1)
        }
    }
    // end
}

// snippet: transport
/// Answers requests by a function; no byte leaves the process.
struct AnsweringTransport: HTTPTransport {
    let answer: @Sendable (SessionRequest) async throws -> SessionResponse

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        try await answer(request)
    }

    func shutdown() async throws {}
}

@Test(.takesTurns) func `a lost connection is tried twice, and named`() async throws {
    let sends = Mutex(0)
    let transport = AnsweringTransport { _ in
        sends.withLock { $0 += 1 }
        throw TransportError(
            .connectionLost, detail: "the connection was lost",
            requestMayHaveBeenProcessed: true)
    }
    let session = Session(transport: transport)
    let url = try #require(URL(string: "https://api.example/notes?page=2"))
    let error = await #expect(throws: TransportError.self) {
        _ = try await session.send(SessionRequest(HTTPRequest(url: url)))
    }
    #expect(sends.withLock { $0 } == 2)
    #expect(error?.requestMethod == "GET")
    #expect(error?.origin?.description == "https://api.example")
    await session.invalidate(cancelling: false)
}
// end

// snippet: described
import FormLogin

@Test(.takesTurns) func `one form login for ten requests`() async throws {
    try await DescribedMock.run { url in
        FormLoginParameters(
            loginURL: url.appending(path: "login"), user: "alice",
            password: "wonderland")
    } test: { mock, parameters in
        let session = Session(transport: AsyncHTTPClientTransport())
        session.register(FormLoginObserver(parameters: parameters))
        mock.hold("/data", until: 10)
        let request = SessionRequest(
            HTTPRequest(url: mock.url.appending(path: "data")))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await session.send(request).head.status.code
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(mock.statistics.challenges == 10)
        #expect(mock.statistics.logins == 1)
        await session.invalidate(cancelling: true)
    }
}
// end

// snippet: prompts
import Keystone

/// Types one password after another, and `nil`, for a user who cancels,
/// after the last.
final class ScriptedPasswords: KeystonePasswordPrompting {
    private let passwords: Mutex<[String]>

    init(_ passwords: [String]) { self.passwords = Mutex(passwords) }

    func password(for prompt: CredentialPrompt) async throws -> String? {
        passwords.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func passcode(for prompt: CredentialPrompt) async throws -> String? { nil }
}

@Test(.takesTurns) func `a wrong password is asked for again`() async throws {
    try await MockKeystone.run { cloud in
        let user = ScriptedPasswords(["looking-glass", "wonderland"])
        let session = Session(transport: AsyncHTTPClientTransport())
        session.register(
            KeystonePasswordObserver(
                parameters: KeystonePasswordParameters(
                    identityURL: cloud.identityURL, cloud: [cloud.url],
                    user: "alice"),
                prompting: user))
        let request = HTTPRequest(url: cloud.url.appending(path: "servers"))
        let response = try await session.send(SessionRequest(request))
        #expect(response.head.status == .ok)
        #expect(cloud.statistics.refusals == 1)
        #expect(cloud.statistics.logins == 1)
        await session.invalidate(cancelling: true)
    }
}
// end

extension `Testing with a mock` {
    // snippet: contract
    @Test func `the store keeps the contract`() async throws {
        let store = MemoryCredentialStore()  // or one of your own
        let contract = CredentialStoreContract { store }
        for finding in await contract.findings() {
            #expect(finding.isKept, "\(finding)")
        }
    }
    // end
}
