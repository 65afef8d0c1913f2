import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The decision whether a response is a challenge.
@Suite(.timeLimit(.minutes(10))) struct ChallengeSignatureTests {
    private func matches(
        _ fields: [MethodDescription.Field], statuses: [Int] = [200], _ reply: Reply, from url: String = "https://app.example/data"
    ) throws -> Bool {
        let signature = CompiledSignature(MethodDescription.Challenge(name: "s", statuses: statuses, fields: fields))
        var head = ChallengedHead(reply.head, from: try #require(URL(string: url)))
        return signature.matches(&head)
    }

    private func field(_ name: String, _ match: MethodDescription.Match) -> MethodDescription.Field {
        MethodDescription.Field(name: name, match: match)
    }

    @Test(
        arguments: [
            ([("x-login", "login-request")], true), ([("X-LOGIN", "login-request")], true),
            ([("X-Login", " \tlogin-request ")], true),
            ([("x-login", "other"), ("x-login", "login-request")], true), ([("x-login", "Login-Request")], false),
            ([("x-login", "login-request2")], false), ([("x-login", "login-request, login-request")], false),
            ([("x-login2", "login-request")], false),
            ([], false),
        ] as [([(String, String)], Bool)])
    func `a value is compared as a whole, with case, line by line`(_ fields: [(String, String)], _ isMatch: Bool) throws {
        #expect(try matches([field("x-login", .equals("login-request"))], Reply(200, fields)) == isMatch)
    }

    @Test func `RT-29 a page is no challenge without the field, and the status counts`() throws {
        let html = Reply(200, [("Content-Type", "text/html")])
        let fields = [field("x-login", .present)]
        #expect(try !matches(fields, html))
        #expect(try matches(fields, Reply(200, [("x-login", "")])))
        #expect(try !matches(fields, Reply(401, [("x-login", "")])))
        #expect(try matches(fields, statuses: [401, 200], Reply(401, [("x-login", "")])))
        #expect(try matches(fields, statuses: [], Reply(503, [("x-login", "")])))
    }

    @Test func `a field must be absent, even without a value`() throws {
        let fields = [field("x-login", .absent), field("a", .present)]
        #expect(try matches(fields, Reply(200, [("a", "")])))
        #expect(try !matches(fields, Reply(200, [("a", ""), ("X-Login", "")])))
        #expect(try !matches(fields, Reply(200, [("a", ""), ("x-login", "absent")])))
        #expect(try !matches(fields, Reply(200, [])))
        #expect(try matches([field("x-login", .absent)], Reply(200, [])))
        // Almost every response would match.
        #expect(try !matches([field("x-login", .absent)], statuses: [], Reply(200, [])))
    }

    @Test func `every field has to agree`() throws {
        let fields = [field("a", .contains("b")), field("c", .prefix("d"))]
        #expect(try matches(fields, Reply(200, [("a", "abc"), ("c", "de")])))
        #expect(try !matches(fields, Reply(200, [("a", "abc"), ("c", "ed")])))
        #expect(try !matches(fields, Reply(200, [("a", "abc")])))
    }

    @Test(arguments: [
        ("https://idp.example/login", true), ("https://idp.example/login?x=1", true), ("https://idp.example/login/next", true),
        ("HTTPS://IDP.example:443/login", true), ("https://idp.example/a/../login", true), ("//idp.example/login", true),
        ("https://idp.example/logins", false), ("https://idp.example.evil/login", false),
        ("https://idp.example@evil.example/login", false),
        ("https://user@idp.example/login", false), ("http://idp.example/login", false), ("https://idp.example:8443/login", false),
        ("https://idp.example/login/../other", false), ("https://idp.example/login%2Fx", false), ("/login", false),
        ("https://evil.example/?https://idp.example/login", false), ("https://idp.example/", false), ("not a url \u{7F}%", false),
    ])
    func `RT-38 a Location begins with a prefix only up to the end of a part`(_ location: String, _ isMatch: Bool) throws {
        let fields = [field("Location", .prefix("https://idp.example/login"))]
        #expect(try matches(fields, statuses: [302], Reply(302, [("Location", location)])) == isMatch)
    }

    @Test(arguments: [
        ("/login", "/login?x=1", true), ("/login", "https://app.example/login", true), ("/login", "login", true),
        ("/login", "https://evil.example/login", false), ("https://idp.example", "https://idp.example/any", true),
        ("https://idp.example", "https://idp.example.evil/any", false),
        ("https://idp.example/?a=", "https://idp.example?a=1", true),
        ("https://idp.example/?a", "https://idp.example/?ab=1", false),
    ])
    func `a Location and its prefix are made absolute before they are compared`(
        _ prefix: String, _ location: String, _ isMatch: Bool
    ) throws {
        let fields = [field("location", .prefix(prefix))]
        #expect(try matches(fields, statuses: [], Reply(302, [("Location", location)])) == isMatch)
    }

    @Test func `a signature that nothing could match is reported once in the log, and never matches`() throws {
        let log = MemoryLog()
        let session = { Session(configuration: .test { $0.logger = log.logger() }, transport: ScriptedTransport { _ in Reply() }) }
        var parameters = try LoginServer().parameters()
        parameters.field = "no name"
        let authenticator = LoginAuthenticator(method: .login(), parameters: parameters)
        session().register(LoginObserver(name: "first", authenticator: authenticator))
        session().register(LoginObserver(name: "second", authenticator: authenticator))
        #expect(log.lines.count { $0.contains("can never match") } == 1)
        #expect(log.lines.first?.contains("Login.login-request") == true)
        #expect(try !matches([field("no name", .present)], Reply(200, [])))
        #expect(try !matches([], statuses: [], Reply(200, [])))
    }

    @Test func `RT-29 an application's own comparison is asked exactly once per response, in place of the spec's`() async throws {
        let server = LoginServer()
        let transport = ScriptedTransport { server.knows($0) ? .text("data") : Reply(403) }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        let asked = Counter()
        let observer = LoginObserver(
            name: "own", authenticator: LoginAuthenticator(method: .login(), parameters: try server.parameters()),
            isChallenge: { response, context in
                asked.increment()
                return response.status == .forbidden && context.url.path() == "/data"
            })
        session.register(observer)
        #expect(try await session.send(.to("https://app.example/data")).text() == "data")
        #expect(asked.count == 2)
        let url = try #require(URL(string: "https://app.example/"))
        #expect(!observer.authenticator.matches(HTTPResponse(status: .forbidden), url: url))
        #expect(observer.authenticator.matches(server.challenge.head, url: url))
    }
}
