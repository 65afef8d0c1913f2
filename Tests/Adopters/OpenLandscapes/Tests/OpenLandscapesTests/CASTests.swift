import CAS
import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Synchronization
import Testing

/// A CAS server (django-cas-server) and applications behind Apache's mod_auth_cas, started by `.ci/cas.sh`.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct CASTests {
    /// Types one password after another, and repeats the last one.
    private final class Person: CASPasswordPrompting {
        private let name: String
        private let passwords: [String]
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ name: String, _ passwords: String...) {
            self.name = name
            self.passwords = passwords
        }

        /// The number of refusals at each prompt.
        var refusals: [Int] { asked.withLock { $0.map(\.refusals) } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            return passwords.prefix(count).last.map { (name, $0) }
        }
    }

    /// A browser that keeps its cookies, and stops before the redirect to the application.
    private final class Browser: WebPresenter {
        private let cookies = Mutex<CookieJar.Snapshot?>(nil)
        private let ends = Mutex<[URL]>([])
        private let person = Mutex<FormFillingPresenter>(FormFillingPresenter(values: [:]))

        /// The URLs at which pages have ended.
        var redirects: [URL] { ends.withLock { $0 } }

        /// Enters values into forms from now on, or none.
        func use(_ presenter: FormFillingPresenter) { person.withLock { $0 = presenter } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            if let kept = cookies.withLock({ $0 }) { presentation.jar.adopt(kept, since: presentation.jar.snapshot()) }
            let result = try await person.withLock { $0 }.present(presentation)
            cookies.withLock { $0 = result.cookies }
            ends.withLock { $0.append(result.finishURL) }
            return result
        }
    }

    private struct Count: Decodable { let sessions: Int }

    private static func value(_ name: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment[name])
    }

    private static func url(_ name: String) throws -> URL { try #require(URL(string: try value(name))) }

    /// A time after which sessions of the second application have ended.
    private static var longerThanSessions: Duration {
        get throws { .seconds(try #require(Int(try value("CAS_TTL"))) + 1) }
    }

    /// Makes an observer of the application whose URL is in an environment variable.
    private func observer(
        _ application: String = "CAS_APP_URL", user: String? = nil, password: String? = nil, person: Person? = nil
    ) throws -> CASPasswordObserver {
        CASPasswordObserver(
            parameters: CASPasswordParameters(
                casURL: try Self.url("CAS_URL"), serviceURL: try Self.url(application), user: user, password: password),
            prompting: person)
    }

    private func browserObserver(_ application: String = "CAS_APP_URL") throws -> CASBrowserObserver {
        CASBrowserObserver(
            parameters: CASBrowserParameters(
                casURL: try Self.url("CAS_URL"), serviceURL: try Self.url(application),
                loggedOutURL: URL(string: "https://sp.localhost/goodbye")))
    }

    /// Returns the status, and the user according to the application.
    private func user(at application: String = "CAS_APP_URL", _ session: Session) async throws -> String {
        let request = HTTPRequest(url: try Self.url(application).appending(path: "data.txt"))
        let response = try await session.send(SessionRequest(request))
        let body = String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self)
        try #require(response.head.status == .ok && body == "data\n")
        let name = try #require(HTTPField.Name("X-User"))
        return try #require(response.head.headerFields[name])
    }

    /// Calls a page for tests of the CAS server, past the observers.
    private func sessions(of user: String, page: String = "sessions") async throws -> Int {
        let url = try Self.url("CAS_URL").appending(path: "lab/\(page)").appending(queryItems: [
            URLQueryItem(name: "user", value: user)
        ])
        let session = try Lab.session()
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        let body = Data(try await response.body.collect(upTo: 4096))
        await session.invalidate(cancelling: true)
        return try JSONDecoder().decode(Count.self, from: body).sessions
    }

    private func failure(_ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    private func renewals(_ events: Events) -> Int { events.count { $0 == .renewed } }

    /// The number of logins. A renewal is an authentication, too.
    private func logins(_ events: Events) -> Int {
        events.count { if case .authenticated = $0 { true } else { false } } - renewals(events)
    }

    // MARK: Passwords

    @Test(arguments: [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `a user logs in once`(_ name: String, _ password: String) async throws {
        let events = Events()
        let session = try Lab.session(try observer(user: name, password: password), events: [events])
        for _ in 0..<3 { #expect(try await user(session) == name) }
        #expect(logins(events) == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is asked for again, and given up after three`() async throws {
        let better = Person("bob", "wrong", "builder")
        let session = try Lab.session(try observer(person: better))
        #expect(try await user(session) == "bob")
        #expect(better.refusals == [0, 1])
        await session.invalidate(cancelling: true)

        let forgetful = Person("bob", "wrong")
        let other = try Lab.session(try observer(person: forgetful))
        let error = await failure { _ = try await user(other) }
        #expect((error as? CountersignError)?.code == .refusedByServer)
        #expect(forgetful.refusals == [0, 1, 2])
        await other.invalidate(cancelling: true)
    }

    @Test func `when the application's session has ended, the password is needed only if that of the CAS server has, too`()
        async throws
    {
        let (person, events) = (Person("carol", "christmas"), Events())
        let session = try Lab.session(try observer("CAS_BRIEF_URL", person: person), events: [events])
        #expect(try await user(at: "CAS_BRIEF_URL", session) == "carol")
        try await Task.sleep(for: try Self.longerThanSessions)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await user(at: "CAS_BRIEF_URL", session) } }
            for try await name in group { #expect(name == "carol") }
        }
        // On a busy machine the requests can take longer than a session lives.
        #expect(renewals(events) >= 1)
        #expect(person.refusals == [0])
        #expect(try await sessions(of: "carol", page: "end") == 0)
        try await Task.sleep(for: try Self.longerThanSessions)
        #expect(try await user(at: "CAS_BRIEF_URL", session) == "carol")
        #expect(logins(events) == 2)
        #expect(person.refusals == [0, 0])
        await session.invalidate(cancelling: true)
    }

    @Test func `a service that the CAS server does not know is not a wrong password`() async throws {
        let person = Person("alice", "wonderland")
        let session = try Lab.session(try observer("CAS_FOREIGN_URL", person: person))
        let error = await failure { _ = try await user(at: "CAS_FOREIGN_URL", session) } as? CASPasswordError
        #expect(error?.code == "noTicket")
        #expect(person.refusals == [0])
        await session.invalidate(cancelling: true)
    }

    @Test func `a logout ends the session at the CAS server`() async throws {
        let session = try Lab.session(try observer(user: "dave", password: "dungeon"))
        #expect(try await user(session) == "dave")
        #expect(try await sessions(of: "dave") == 1)
        try await session.logOut()
        #expect(try await sessions(of: "dave") == 0)
        await session.invalidate(cancelling: true)
    }

    // MARK: Browsers

    @Test func `a ticket of a login in a browser can be used once, by the client`() async throws {
        let (browser, events) = (Browser(), Events())
        browser.use(FormFillingPresenter(user: "alice", password: "wonderland"))
        let session = try Lab.session(try browserObserver(), events: [events], presenter: browser)
        for _ in 0..<3 { #expect(try await user(session) == "alice") }
        #expect(logins(events) == 1)
        let redirect = try #require(browser.redirects.first)
        let other = try Lab.session()
        let response = try await other.send(SessionRequest(HTTPRequest(url: redirect), followsRedirects: false))
        #expect(response.head.status == .unauthorized)
        await session.invalidate(cancelling: true)
        await other.invalidate(cancelling: true)
    }

    @Test func `a second application needs no password, until a logout in the browser`() async throws {
        let browser = Browser()
        browser.use(FormFillingPresenter(user: "alice", password: "wonderland"))
        let session = try Lab.session(try browserObserver(), presenter: browser)
        #expect(try await user(session) == "alice")
        browser.use(FormFillingPresenter(values: [:]))
        let second = try Lab.session(try browserObserver("CAS_BRIEF_URL"), presenter: browser)
        #expect(try await user(at: "CAS_BRIEF_URL", second) == "alice")
        #expect(Set(browser.redirects.map { $0.host() }) == ["sp.localhost", "as.localhost"])
        try await session.logOut()
        #expect(browser.redirects.last?.path() == "/goodbye")
        let error = await failure { _ = try await user(session) }
        #expect((error as? CountersignError)?.code == .presenterFailed)
        await session.invalidate(cancelling: true)
        await second.invalidate(cancelling: true)
    }
}
