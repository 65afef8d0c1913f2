import Countersign
import CountersignFoundation
import Foundation
import HTTPTypes
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The core of generated authenticators and observers.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct ProgramAuthenticatorTests {
    /// An observer of the form that the generator makes.
    private final class LoginObserver: FoundationSessionObserving {
        typealias Authentication = @Sendable (FoundationSession) async throws -> Void
        typealias Comparison = @Sendable (FoundationSessionTask, URLResponse) -> Bool

        let core: ProgramAuthenticator
        let authenticate: Authentication?
        let isChallenge: Comparison?

        init(authenticate: Authentication? = nil, isChallenge: Comparison? = nil) throws {
            core = try Login.authenticator()
            self.authenticate = authenticate
            self.isChallenge = isChallenge
        }

        func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
            core.observer(named: "LoginObserver", for: session, authenticate: authenticate, isChallenge: isChallenge)
        }
    }

    private func session(_ presenter: InstantPresenter, _ transport: ScriptedTransport = Login.server()) -> FoundationSession {
        var configuration = FoundationSession.Configuration()
        configuration.presenter = presenter
        return FoundationSession(configuration: configuration, transport: transport)
    }

    private func url(_ path: String = "/") throws -> URL { try #require(URL(string: "https://server.example\(path)")) }

    private func failure(
        _ start: (@escaping @Sendable ((any Error)?) -> Void) -> Void
    ) async throws -> (any Error)? {
        let handed = Handed<(any Error)?>()
        start { handed.hand($0) }
        return try await handed.next()
    }

    @Test func `the caller of a challenged request notices nothing`() async throws {
        let presenter = InstantPresenter()
        let transport = Login.server()
        let session = session(presenter, transport)
        session.register(try LoginObserver())
        let (data, response) = try await session.data(from: try url())
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(data == Data("answer".utf8))
        #expect(presenter.presentations == 1)
        #expect(transport.sent.count == 2)
    }

    @Test func `authenticating directly leaves the cookies in the session`() async throws {
        let session = session(InstantPresenter())
        let authenticator = try Login.authenticator()
        #expect(try await failure { authenticator.authenticate(in: session, completionHandler: $0) } == nil)
        #expect(session.cookieStorage.cookies.map(\.name) == ["session"])
    }

    @Test func `without a session the one of the observer is taken, and none is an error`() async throws {
        let session = session(InstantPresenter())
        let observer = try LoginObserver()
        let without = try await failure { observer.core.authenticate(completionHandler: $0) }
        #expect(without is CountersignError)
        session.register(observer)
        #expect(try await failure { observer.core.authenticate(completionHandler: $0) } == nil)
        #expect(session.cookieStorage.cookies.map(\.name) == ["session"])
    }

    @Test func `authenticating with cookies hands over the new ones and leaves the session's`() async throws {
        let session = session(InstantPresenter())
        let observer = try LoginObserver()
        session.register(observer)
        let mine = try #require(HTTPCookie(properties: [.name: "mine", .value: "1", .domain: "server.example", .path: "/"]))
        let handed = Handed<([HTTPCookie]?, (any Error)?)>()
        observer.core.authenticate(cookies: [mine]) { handed.hand(($0, $1)) }
        let (cookies, error) = try await handed.next()
        #expect(error == nil)
        #expect(cookies?.map(\.name).sorted() == ["mine", "session"])
        #expect(session.cookieStorage.cookies.isEmpty)
    }

    @Test func `an application's own authentication gets the session and may send with it`() async throws {
        let presenter = InstantPresenter()
        let session = session(presenter)
        let seen = Handed<(isSame: Bool, status: Int)>()
        let url = try url("/own")
        session.register(
            try LoginObserver(authenticate: { [weak session] given in
                let statuses = Handed<Int>()
                // A request of the flow itself is challenged as well, and must not wait for the flow that it is a part of.
                given.dataTask(with: url) { _, response, _ in
                    statuses.hand((response as? HTTPURLResponse)?.statusCode ?? 0)
                }.resume()
                seen.hand((given === session, try await statuses.next()))
                given.cookieStorage.jar.store(["session=own"], from: url)
            }))
        let (_, response) = try await session.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let first = try await seen.next()
        #expect(first.isSame)
        #expect(first.status == 401)
        #expect(presenter.presentations == 0)
    }

    @Test func `an authentication that a task waits for may send although the session is finishing`() async throws {
        let session = session(InstantPresenter())
        let url = try url("/own")
        session.register(
            try LoginObserver(authenticate: { given in
                given.finishTasksAndInvalidate()
                _ = try await given.data(from: url)
                given.cookieStorage.jar.store(["session=own"], from: url)
            }))
        let (_, response) = try await session.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `an application's own comparison sees the task and the response`() async throws {
        let session = session(InstantPresenter())
        let seen = Handed<String>()
        session.register(
            try LoginObserver(isChallenge: { task, response in
                seen.hand("\(task.taskDescription ?? "") \(task.currentRequest?.url?.path ?? "")")
                return (response as? HTTPURLResponse)?.statusCode == 401
            }))
        let done = Handed<Int>()
        let task = session.dataTask(with: try url("/data")) { _, response, _ in
            done.hand((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        task.taskDescription = "described"
        task.resume()
        #expect(try await done.next() == 200)
        #expect(try await seen.next() == "described /data")
        #expect(seen.count == 2)
    }

    @Test func `a request without a task gets one to show`() async throws {
        let session = session(InstantPresenter())
        let paths = Handed<String?>()
        session.register(
            try LoginObserver(isChallenge: { task, _ in
                paths.hand(task.originalRequest?.url?.path)
                return false
            }))
        let head = HTTPRequest(method: .get, scheme: "https", authority: "server.example", path: "/bare")
        _ = try await session.session.send(SessionRequest(head))
        #expect(try await paths.next() == "/bare")
    }

    @Test func `a response is compared with the method's signatures`() throws {
        let authenticator = try Login.authenticator()
        let challenge = try #require(HTTPURLResponse(url: try url(), statusCode: 401, httpVersion: nil, headerFields: nil))
        let answer = try #require(HTTPURLResponse(url: try url(), statusCode: 200, httpVersion: nil, headerFields: nil))
        #expect(authenticator.isChallenge(challenge))
        #expect(!authenticator.isChallenge(answer))
    }
}
