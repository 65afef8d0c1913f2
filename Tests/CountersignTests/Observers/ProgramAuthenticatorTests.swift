import Foundation
import Testing

@testable import Countersign

/// A direct authentication, and the errors of its failures.
@Suite(.timeLimit(.minutes(10))) struct ProgramAuthenticatorTests {
    private func authenticate(
        _ method: LoginMethod = .login(), presenter: (any WebPresenter)?, sessionPresenter: (any WebPresenter)? = nil,
        change: (inout LoginParameters) throws -> Void = { _ in }
    ) async throws {
        var parameters = try LoginServer().parameters()
        try change(&parameters)
        let session = Session(configuration: .test(presenter: sessionPresenter), transport: ScriptedTransport { _ in Reply() })
        try await LoginAuthenticator(method: method, parameters: parameters, presenter: presenter).authenticate(in: session)
    }

    @Test func `a login brings the cookies into the session, and keeps what came meanwhile`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let presenter = server.presenter(after: login)
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) })
        session.cookies.set(Cookie(name: "before", value: "1", domain: "app.example", isHostOnly: true))
        let authenticator = try server.observer().authenticator
        async let done: Void = authenticator.authenticate(in: session)
        await login.arrivals(1)
        session.cookies.set(Cookie(name: "meanwhile", value: "1", domain: "app.example", isHostOnly: true))
        login.open()
        try await done
        #expect(Set(session.cookies.all.map(\.name)) == ["before", "meanwhile", "login"])
        let presentation = try #require(presenter.presentations.first)
        #expect(presentation.cookies.cookies.map(\.name) == ["before"])
        #expect(presentation.url.absoluteString == "https://app.example/login")
        #expect(presentation.finish == FinishRule(try #require(URL(string: "https://app.example/done")), match: .path))
        #expect(presentation.authenticationMethod == "login")
    }

    @Test func `the authenticator's presenter comes before the session's`() async throws {
        let server = LoginServer()
        let (own, other) = (server.presenter(), server.presenter())
        try await authenticate(presenter: own, sessionPresenter: other)
        #expect(own.presentations.count == 1)
        #expect(other.presentations.isEmpty)
    }

    @Test func `without a presenter the error says how to set one`() async throws {
        let error = await #expect(throws: CountersignError.self) { try await authenticate(presenter: nil) }
        #expect(error?.code == .noPresenter)
        #expect(error?.authenticationMethod == "Login")
        #expect(error?.detail.contains("SessionConfiguration.presenter") == true)
        #expect(error?.recoverySuggestion?.contains("presenter") == true)
    }

    @Test func `a second direct authentication is the method's busy error`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let session = Session(
            configuration: .test(presenter: server.presenter(after: login)), transport: ScriptedTransport { server.answer($0) })
        for method in [LoginMethod.login(), LoginMethod.login(mapsFailures: false)] {
            let authenticator = LoginAuthenticator(method: method, parameters: try server.parameters())
            let seen = login.arrivals
            let first = Task { try await authenticator.authenticate(in: session) }
            await login.arrivals(seen + 1)
            let error = await #expect(throws: (any Error).self) { try await authenticator.authenticate(in: session) }
            if method.mapsFailures {
                #expect((error as? LoginError)?.code == "busy")
            } else {
                #expect((error as? CountersignError)?.code == .busy)
            }
            authenticator.cancel()
            let cancelled = await #expect(throws: (any Error).self) { try await first.value }
            if method.mapsFailures {
                #expect((cancelled as? LoginError)?.code == "cancelled")
            } else {
                #expect((cancelled as? CountersignError)?.code == .cancelled)
            }
        }
    }

    @Test(arguments: [(0, "cancelled"), (1, "reloaded"), (2, "background"), (3, "page"), (4, "page")])
    func `a presenter's failure is the method's error`(_ index: Int, _ code: String) async throws {
        struct Broken: Error {}
        let failures: [any Error] = [
            PresentationFailure.dismissed, PresentationFailure.reloaded, PresentationFailure.background,
            PresentationFailure.load(Broken()),
            Broken(),
        ]
        let presenter = ScriptedPresenter { _ in throw failures[index] }
        let error = await #expect(throws: LoginError.self) { try await authenticate(presenter: presenter) }
        #expect(error?.code == code)
        let other = await #expect(throws: CountersignError.self) {
            try await authenticate(.login(mapsFailures: false), presenter: presenter)
        }
        #expect(other?.code == (index == 0 ? .cancelled : .presenterFailed))
        #expect(other?.authenticationMethod == "Login")
    }

    @Test func `a presenter's reason is in the error of a method without errors, if it contains no secret`() async throws {
        struct NoBrowser: SecretFreeError { let description = "there is no browser" }
        struct Secret: Error, CustomStringConvertible { let description = "hunter2" }
        let cases: [(any Error, String)] = [
            (NoBrowser(), "the login page could not be shown: there is no browser"),
            (Secret(), "the login page could not be shown"),
        ]
        for (cause, detail) in cases {
            let presenter = ScriptedPresenter { _ in throw PresentationFailure.load(cause) }
            let error = await #expect(throws: CountersignError.self) {
                try await authenticate(.login(mapsFailures: false), presenter: presenter)
            }
            #expect(error?.code == .presenterFailed && error?.detail == detail)
        }
    }

    @Test func `a spec's explanation of a status is the error of a method without errors`() async throws {
        struct Answered: PageFailure {
            let status: Int? = 404
            let origin: Origin? = nil
        }
        let presenter = ScriptedPresenter { _ in throw PresentationFailure.load(Answered()) }
        let error = await #expect(throws: CountersignError.self) {
            try await authenticate(
                .login(mapsFailures: false, explanations: [404: "log in with the first method"]), presenter: presenter)
        }
        #expect(error?.code == .pageRefused && error?.detail == "log in with the first method" && error?.status == 404)
    }

    @Test func `a presenter that ends elsewhere has not ended the flow`() async throws {
        let presenter = ScriptedPresenter { presentation in
            WebPresentationResult(
                finishURL: try #require(URL(string: "https://app.example.evil/done")), cookies: presentation.cookies)
        }
        let error = await #expect(throws: CountersignError.self) { try await authenticate(presenter: presenter) }
        #expect(error?.code == .presenterFailed)
    }

    @Test(arguments: ["http://app.example/login", "file:///login", "/login", "mailto:a@app.example"])
    func `no login page is opened where it would be readable on the way`(_ url: String) async throws {
        let presenter = LoginServer().presenter()
        let error = await #expect(throws: LoginError.self) {
            try await authenticate(presenter: presenter) { $0.login = try #require(URL(string: url)) }
        }
        #expect(error?.code == "invalidArgument")
        let other = await #expect(throws: CountersignError.self) {
            try await authenticate(.login(mapsFailures: false), presenter: presenter) { $0.login = try #require(URL(string: url)) }
        }
        #expect(other?.code == (url.hasPrefix("http:") ? .insecureDestination : .invalidRequest))
        #expect(presenter.presentations.isEmpty)
    }

    @Test func `a login page on this machine may do without TLS`() async throws {
        let presenter = LoginServer().presenter()
        try await authenticate(presenter: presenter) {
            $0.login = try #require(URL(string: "http://127.0.0.1:8080/login"))
            $0.finish = try #require(URL(string: "http://localhost:8080/done"))
        }
        #expect(presenter.presentations.count == 1)
    }

    @Test func `two sessions of one authenticator have a login each, and cancel ends both`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let presenter = server.presenter(after: login)
        let authenticator = LoginAuthenticator(method: .login(), parameters: try server.parameters(), presenter: presenter)
        let sessions = (0..<2).map { _ in Session(configuration: .test(), transport: ScriptedTransport { server.answer($0) }) }
        let logins = sessions.map { session in Task { try await authenticator.authenticate(in: session) } }
        await login.arrivals(2)
        authenticator.cancel()
        for login in logins {
            let error = await #expect(throws: LoginError.self) { try await login.value }
            #expect(error?.code == "cancelled")
        }
    }
}
