import Countersign
import CountersignAsyncHTTPClient
import CountersignFileStore
import CountersignTesting
import Foundation
import FormLogin
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// The generated clients of form and JSON-RPC logins, on sockets.
@Suite(.takesTurns) struct FormLoginTests {
    /// Types one password after another, and repeats the last one.
    private final class Person: FormLoginPrompting, JSONRPCLoginPrompting {
        private let passwords: [String]
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        var prompts: [CredentialPrompt] { asked.withLock(\.self) }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            try await password(for: prompt).map { ("alice", $0) }
        }

        func password(for prompt: CredentialPrompt) async throws -> String? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            return passwords.prefix(count).last
        }
    }

    private func run(
        hasForm: Bool = true, cookies: CookieJar = CookieJar(), _ body: (MockFormLogin, Session) async throws -> Void
    ) async throws {
        try await MockFormLogin.run(hasForm: hasForm) { mock in
            await withSession(cookies: cookies) { session in
                try await body(mock, session)
            }
        }
    }

    private func form(_ mock: MockFormLogin, password: String? = "wonderland", _ person: Person? = nil) -> FormLoginObserver {
        FormLoginObserver(
            parameters: FormLoginParameters(
                loginURL: mock.loginURL, user: password.map { _ in "alice" }, password: password, logoutURL: mock.logoutURL),
            prompting: person)
    }

    private func service(_ mock: MockFormLogin, password: String? = "wonderland", _ person: Person? = nil) -> JSONRPCLoginObserver {
        JSONRPCLoginObserver(
            parameters: JSONRPCLoginParameters(url: mock.serviceURL, password: password), prompting: person)
    }

    /// Returns the status code and the text of a response.
    private func get(_ url: URL, _ session: Session) async throws -> String {
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        return "\(response.head.status.code) \(String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self))"
    }

    private func call(_ mock: MockFormLogin, _ session: Session) async throws -> String {
        let body = #"{"method":"core.get_torrents","params":[],"id":1}"#
        let response = try await session.send(
            SessionRequest(HTTPRequest(method: .post, url: mock.serviceURL), body: .bytes(Array(body.utf8))))
        return String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self)
    }

    @Test(arguments: ["data", "api/data"])
    func `one login serves each further request, whether a page is refused or leads to the form`(_ path: String) async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            for _ in 0..<3 { #expect(try await get(mock.url.appending(path: path), session) == "200 data\n") }
            #expect(mock.statistics == .counts(challenges: 1, answered: 3, forms: 1, logins: 1))
        }
    }

    @Test func `what the form hides goes back as it was, with the cookie of its page and no other`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            #expect(try await get(mock.url, session) == "200 data\n")
            let login = mock.requests.filter { $0.path == "/login" }
            #expect(login.map(\.method) == ["GET", "POST"])
            #expect(login[0].fields["cookie"] == nil)
            #expect(login[1].fields["cookie"]?.hasPrefix("visitor=") == true)
            #expect(login[1].fields["cookie"]?.contains("SID") == false)
            #expect(login[1].fields["referer"] == mock.loginURL.absoluteString)
            let body = String(decoding: login[1].body, as: UTF8.self)
            #expect(body.hasPrefix("username=alice&password=wonderland&csrf_token="))
            #expect(body.hasSuffix("%26%22%3C"))
        }
    }

    @Test func `a service without a page for its form takes it at once`() async throws {
        try await run(hasForm: false) { (mock, session) async throws in
            session.register(form(mock))
            #expect(try await get(mock.url.appending(path: "api/data"), session) == "200 data\n")
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, logins: 1))
            #expect(
                mock.requests.last { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
                    == "username=alice&password=wonderland")
        }
    }

    @Test func `a wrong password is seen in a page of status 200, and typed again`() async throws {
        try await run { (mock, session) async throws in
            let person = Person("wrong", "wonderland")
            session.register(form(mock, password: nil, person))
            #expect(try await get(mock.url, session) == "200 data\n")
            #expect(person.prompts.map(\.refusals) == [0, 1])
            let origin = try #require(Origin(mock.url))
            #expect(person.prompts.map(\.origin) == [origin, origin])
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, forms: 2, logins: 1, refusals: 1))
        }
    }

    @Test func `a wrong password that is a parameter is sent once`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock, password: "wrong"))
            #expect(await code { try await get(mock.url, session) } == .refusedByServer)
            #expect(mock.statistics == .counts(challenges: 1, forms: 1, refusals: 1))
        }
    }

    @Test func `the session of the application is kept apart from the cookies of the session`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            session.cookies.store(["theme=dark; Path=/"], from: mock.url)
            #expect(try await get(mock.url, session) == "200 data\n")
            // The cookie of the anonymous session, which the challenge had set, is not sent beside the other.
            let last = try #require(mock.requests.last?.fields["cookie"])
            #expect(last.split(separator: "; ").map { $0.prefix { $0 != "=" } } == ["visitor", "SID", "theme"])
            #expect(!last.contains("nobody"))
            #expect(session.cookies.all.map(\.name).sorted() == ["SID", "theme"])
            #expect(session.cookies.all.first { $0.name == "SID" }?.value == "nobody")
        }
    }

    @Test func `a session that the server replaces with each answer goes on`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            mock.rotateSessions()
            for _ in 0..<5 { #expect(try await get(mock.url, session) == "200 data\n") }
            #expect(mock.statistics == .counts(challenges: 1, answered: 5, forms: 1, logins: 1))
        }
    }

    @Test func `a session that has ended is begun again, and one with an expired cookie before a request is lost for it`()
        async throws
    {
        let shift = Mutex(0.0)
        let cookies = CookieJar(now: { Date(timeIntervalSinceNow: shift.withLock(\.self)) })
        try await run(cookies: cookies) { (mock, session) async throws in
            session.register(form(mock))
            #expect(try await get(mock.url, session) == "200 data\n")
            mock.forgetSessions()
            #expect(try await get(mock.url, session) == "200 data\n")
            #expect(mock.statistics.logins == 2)

            mock.forgetSessions()
            mock.limitCookies(toSeconds: 600)
            #expect(try await get(mock.url, session) == "200 data\n")
            mock.resetStatistics()
            shift.withLock { $0 = 601 }
            #expect(try await get(mock.url, session) == "200 data\n")
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, forms: 1, logins: 1))
        }
    }

    @Test func `a hundred requests at once take one login`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            let gate = mock.hold(until: 100)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await get(mock.url.appending(path: "data"), session) } }
                for try await answer in group { #expect(answer == "200 data\n") }
            }
            #expect(!gate.hasTimedOut)
            #expect(mock.statistics == .counts(challenges: 100, answered: 100, forms: 1, logins: 1))
        }
    }

    @Test func `a logout ends the session at the server`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            #expect(try await get(mock.url, session) == "200 data\n")
            try await session.logOut()
            #expect(mock.statistics.logouts == 1)
            #expect(try await get(mock.url, session) == "200 data\n")
            #expect(mock.statistics.logins == 2)
        }
    }

    @Test func `a session outlives the process in encrypted files`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = StoreKey.random()
        try await MockFormLogin.run { (mock) async throws in
            for number in 1...2 {
                let session = Session(transport: AsyncHTTPClientTransport())
                let parameters = FormLoginParameters(loginURL: mock.loginURL, user: "alice", password: "wonderland")
                session.register(FormLoginObserver(parameters: parameters, store: EncryptedFileStore(folder: folder, key: key)))
                #expect(try await get(mock.url, session) == "200 data\n")
                #expect(mock.statistics == .counts(challenges: number, answered: number, forms: 1, logins: 1))
                await session.invalidate(cancelling: true)
            }
        }
    }

    @Test func `other servers get no cookie of it, at another port neither`() async throws {
        try await run { (mock, session) async throws in
            session.register(form(mock))
            #expect(try await get(mock.url, session) == "200 data\n")
            try await MockFormLogin.run { (other) async throws in
                #expect(try await get(other.url.appending(path: "api/data"), session).hasPrefix("401"))
                #expect(other.requests.map { $0.fields["cookie"]?.contains("SID=nobody") ?? true } == [true])
            }
        }
    }

    @Test func `a call is answered after a login that its own body demands`() async throws {
        try await run { (mock, session) async throws in
            session.register(service(mock))
            for _ in 0..<2 { #expect(try await call(mock, session) == #"{"id":1,"result":["data"],"error":null}"#) }
            #expect(mock.statistics == .counts(challenges: 1, answered: 2, logins: 1))
            let login = try #require(mock.requests.first { String(decoding: $0.body, as: UTF8.self).contains("auth.login") })
            #expect(String(decoding: login.body, as: UTF8.self) == #"{"method":"auth.login","params":["wonderland"],"id":1}"#)
        }
    }

    @Test func `a password that a call refuses is typed again`() async throws {
        try await run { (mock, session) async throws in
            let person = Person("wrong", "wonderland")
            session.register(service(mock, password: nil, person))
            #expect(try await call(mock, session) == #"{"id":1,"result":["data"],"error":null}"#)
            #expect(person.prompts.map(\.refusals) == [0, 1])
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, logins: 1, refusals: 1))
        }
    }
}

extension MockFormLogin.Statistics {
    /// Counts whose number of requests is that of the challenges and the answered requests.
    fileprivate static func counts(
        challenges: Int = 0, answered: Int = 0, forms: Int = 0, logins: Int = 0, refusals: Int = 0
    ) -> MockFormLogin.Statistics {
        var counts = MockFormLogin.Statistics()
        counts.challenges = challenges
        counts.answered = answered
        counts.sends = challenges + answered
        counts.forms = forms
        counts.logins = logins
        counts.refusals = refusals
        return counts
    }
}
