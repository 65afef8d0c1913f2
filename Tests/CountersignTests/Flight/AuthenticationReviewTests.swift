import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// The review between the success of a login and the release of the waiting requests.
@Suite(.timeLimit(.minutes(10))) struct AuthenticationReviewTests {
    private struct Refused: Error, Equatable {}

    private let server = LoginServer()

    private func session() -> Session {
        Session(configuration: .test(presenter: server.presenter()), transport: ScriptedTransport { [server] in server.answer($0) })
    }

    private func authenticator() throws -> LoginAuthenticator {
        LoginAuthenticator(method: .login(name: server.name), parameters: try server.parameters())
    }

    private func observer(
        _ authenticator: LoginAuthenticator, own: (@Sendable (Session) async throws -> Void)? = nil, _ review: AuthenticationReview
    ) -> LoginObserver {
        LoginObserver(name: "loginObserver", authenticator: authenticator, authenticate: own, review: review)
    }

    @Test func `only the requests of the review carry the credential while it is reviewed`() async throws {
        let session = session()
        let texts = Mutex<[String]>([])
        let review = AuthenticationReview { session, _ in
            #expect(session.cookies.all.isEmpty)
            let text = try await session.send(.to("https://app.example/me")).text()
            texts.withLock { $0.append(text) }
        }
        session.register(observer(try authenticator(), review))
        let text = try await session.send(.to("https://app.example/data")).text()
        #expect(text == "data")
        #expect(texts.withLock { $0 } == ["data"])
        #expect(session.cookies.all.count == 1)
    }

    @Test func `a bypass identifier means nothing after the end of its review`() async throws {
        let session = session()
        let identifiers = Mutex<[UUID]>([])
        session.register(
            observer(
                try authenticator(),
                AuthenticationReview { (_, identifier) async throws in
                    identifiers.withLock { $0.append(identifier) }
                    throw Refused()
                }))
        await #expect(throws: Refused.self) { try await session.send(.to("https://app.example/data")) }
        var request: SessionRequest = try .to("https://app.example/data")
        request.bypassIdentifier = identifiers.withLock { $0.first }
        let marked = request
        await #expect(throws: Refused.self) { try await session.send(marked) }
        #expect(identifiers.withLock { Set($0).count } == 2)
        #expect(session.cookies.all.isEmpty)
    }

    @Test(arguments: [false, true])
    func `what an application's own authentication leaves in the jar waits for the review, too`(isRefused: Bool) async throws {
        let session = session()
        session.cookies.set(Cookie(name: "other", value: "1", domain: "app.example", isHostOnly: true))
        let review = AuthenticationReview { session, _ in
            #expect(session.cookies.all.map(\.name) == ["other"])
            let text = try await session.send(.to("https://app.example/me")).text()
            #expect(text == "data")
            if isRefused { throw Refused() }
        }
        let own: @Sendable (Session) async throws -> Void = { [server] in $0.cookies.set(server.logIn()) }
        session.register(observer(try authenticator(), own: own, review))
        let result = await Task { try await session.send(.to("https://app.example/data")).text() }.result
        if isRefused {
            #expect(throws: Refused.self) { try result.get() }
            #expect(session.cookies.all.map(\.name) == ["other"])
        } else {
            #expect(try result.get() == "data")
            #expect(session.cookies.all.count == 2)
        }
    }

    @Test func `an authentication without a challenge is reviewed, and a failure is reported once`() async throws {
        let session = session()
        let failures = Mutex<[any Error]>([])
        let authenticator = try authenticator()
        session.register(
            observer(
                authenticator,
                AuthenticationReview(
                    review: { _, _ in throw Refused() }, failed: { _, error in failures.withLock { $0.append(error) } })))
        await #expect(throws: Refused.self) { try await authenticator.authenticate() }
        #expect(failures.withLock { $0.count } == 1)
        #expect(failures.withLock { $0.first as? Refused } == Refused())
        #expect(session.cookies.all.isEmpty)
    }

    @Test func `a logout during the review discards the login, whatever the review says`() async throws {
        let session = session()
        let reviewing = Turnstile()
        let authenticator = try authenticator()
        let review = AuthenticationReview { _, _ in try? await reviewing.pass() }
        session.register(observer(authenticator, review))
        let response = Task { try await session.send(.to("https://app.example/data")) }
        await reviewing.arrivals(1)
        session.endSession()
        reviewing.open()
        let error = await #expect(throws: CountersignError.self) { try await response.value }
        #expect(error?.code == .sessionEnded)
        #expect(session.cookies.all.isEmpty)
    }

    @Test func `without a reviewer there is no review`() async throws {
        let session = session()
        let review = AuthenticationReview(isWanted: { false }, review: { _, _ in throw Refused() })
        session.register(observer(try authenticator(), review))
        let text = try await session.send(.to("https://app.example/data")).text()
        #expect(text == "data")
    }
}
