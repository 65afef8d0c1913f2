import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// One authenticator, its observers, and requests in progress when an observer is registered or unregistered.
@Suite(.timeLimit(.minutes(10))) struct SharedAuthenticatorTests {
    private let server = LoginServer()

    private func authenticator(_ presenter: (any WebPresenter)? = nil) throws -> LoginAuthenticator {
        LoginAuthenticator(method: .login(name: server.name), parameters: try server.parameters(), presenter: presenter)
    }

    private func get(_ session: Session, _ path: String = "/data") async throws -> String {
        try await session.send(.to("https://app.example\(path)")).text()
    }

    /// Makes a session whose requests to `/late` are answered when a gate opens.
    private func session(_ presenter: any WebPresenter, _ late: Turnstile = Turnstile()) -> Session {
        let transport = ScriptedTransport { [server] sent in
            guard sent.path == "/late", sent["Cookie"]?.hasSuffix("s1") != false else { return server.answer(sent) }
            try await late.pass()
            return server.challenge
        }
        return Session(configuration: .test(presenter: presenter), transport: transport)
    }

    @Test func `a login that failed says nothing to requests whose challenge comes after one that succeeded`() async throws {
        let (late, count) = (Turnstile(), Counter())
        defer { late.open() }
        let presenter = ScriptedPresenter { [server] presentation in
            count.increment()
            guard count.count != 2 else { throw PresentationFailure.background }
            return server.finished(presentation)
        }
        let session = session(presenter, late)
        session.register(LoginObserver(name: "login", authenticator: try authenticator()))
        #expect(try await get(session) == "data")
        let former = Task { try await get(session, "/late") }
        try await awaitCondition { late.arrivals == 1 }
        server.expire()
        let error = await #expect(throws: LoginError.self) { _ = try await get(session) }
        #expect(error?.code == "background")
        #expect(try await get(session) == "data")
        late.open()
        #expect(try await former.value == "data")
        #expect(count.count == 3)
    }

    @Test func `a request that is challenged after its observer has gone shows no page`() async throws {
        let late = Turnstile()
        defer { late.open() }
        let presenter = server.presenter()
        let session = session(presenter, late)
        let observer = LoginObserver(name: "login", authenticator: try authenticator())
        session.register(observer)
        let request = Task { try await get(session, "/late") }
        try await awaitCondition { late.arrivals == 1 }
        session.unregister(observer)
        late.open()
        await #expect(throws: (any Error).self) { _ = try await request.value }
        #expect(presenter.presentations.isEmpty)
    }

    @Test func `an observer keeps what is its own when another one with its authenticator goes`() async throws {
        let presenter = server.presenter()
        let session = session(presenter)
        let authenticator = try authenticator()
        let reviews = Counter()
        let former = LoginObserver(name: "former", authenticator: authenticator)
        let present = LoginObserver(
            name: "present", authenticator: authenticator, authenticate: { [server] in $0.cookies.set(server.logIn()) },
            review: AuthenticationReview { _, _ in reviews.increment() })
        session.register(former)
        session.register(present)
        session.unregister(former)
        #expect(try await get(session) == "data")
        #expect(presenter.presentations.isEmpty)
        #expect(reviews.count == 1)
    }

    @Test func `an authentication by hand shows the method's page, also where an observer has one of its own`() async throws {
        let presenter = server.presenter()
        let session = session(presenter)
        let authenticator = try authenticator()
        session.register(
            LoginObserver(
                name: "login", authenticator: authenticator,
                authenticate: { [server] session in
                    // Like an authentication that shows the method's page and does something else.
                    try await authenticator.authenticate(in: session)
                    _ = server
                }))
        try await authenticator.authenticate(in: session)
        #expect(presenter.presentations.count == 1)
        #expect(try await get(session) == "data")
    }

    @Test func `a presenter that keeps its session is not kept by it`() async throws {
        weak var kept: Keeper?
        do {
            let presenter = Keeper(server)
            kept = presenter
            let session = session(server.presenter())
            presenter.session = session
            let observer = LoginObserver(name: "login", authenticator: try authenticator(presenter))
            session.register(observer)
            #expect(try await get(session) == "data")
            session.unregister(observer)
        }
        try await awaitCondition { kept == nil }
    }
}

/// A presenter that holds its session.
private final class Keeper: WebPresenter {
    private let server: LoginServer
    private let state = Mutex<Session?>(nil)

    init(_ server: LoginServer) { self.server = server }

    var session: Session? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult { server.finished(presentation) }
}
