import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The first login with the passcode of a scanned configuration, and all later ones with the authorization code grant.
@Suite(.takesTurns) struct PasscodeTests {
    /// Registers an observer for a passcode.
    private func register(_ passcode: String, on bench: OAuth2Bench, presenter: (any WebPresenter)? = nil) throws {
        bench.session.register(
            OAuth2Observer(
                passwordAuthenticationParameters: try parameters(passcode, for: bench), tokenStore: bench.store,
                webViewPresenter: presenter))
    }

    private func parameters(_ passcode: String, for bench: OAuth2Bench) throws -> OAuth2PasswordAuthenticationParameters {
        OAuth2PasswordAuthenticationParameters(
            authorizationEndpointURL: bench.mock.baseURL.appending(path: "oauth2/api/v1/authorize"), clientID: "countersign",
            redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")),
            tokenEndpointURL: bench.mock.baseURL.appending(path: "oauth2/api/v1/token"), passcode: passcode)
    }

    @Test func `M14 RT-12 a hundred first requests use a passcode once, and nobody logs in`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            try register(try #require(bench.mock.makePasscode()), on: bench)
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" })
            #expect(bench.counted.challenges == 100)
            #expect(bench.counted.tokenRequests == [.password: 1])
            #expect(bench.counted.tokenAnswers == [.password: 1])
        }
    }

    @Test func `M14 the token is renewed by its refresh token, and the next login is by authorization code`() async throws {
        try await OAuth2Bench.run { bench in
            try register(try #require(bench.mock.makePasscode(for: "alice")), on: bench)
            #expect(try await bench.user() == "alice")
            bench.mock.expireAccessTokens()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.password: 1, .refreshToken: 1])
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.password: 1, .refreshToken: 1, .authorizationCode: 1])
            #expect(bench.counted.tokenRequests[.password] == 1)
        }
    }

    @Test func `S4 an authenticator by itself: authenticate, refresh, authenticate`() async throws {
        try await OAuth2Bench.run { bench in
            let authenticator = OAuth2Authenticator(
                passwordAuthenticationParameters: try parameters(try #require(bench.mock.makePasscode()), for: bench),
                sapURLSession: bench.session)
            let first = try await authenticator.authenticate()
            let second = try await authenticator.refresh(token: first)
            #expect(first.accessToken != second.accessToken)
            _ = try await authenticator.authenticate()
            #expect(bench.counted.tokenAnswers == [.password: 1, .refreshToken: 1, .authorizationCode: 1])
        }
    }

    @Test func `a presenter of its own shows the later logins`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            try register(
                try #require(bench.mock.makePasscode()), on: bench,
                presenter: FormFillingPresenter(user: "alice", password: "wonderland"))
            #expect(try await bench.user() == "alice")
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.password: 1, .authorizationCode: 1])
        }
    }

    // MARK: Passcodes that do not work

    @Test(arguments: ["00000000000000000000000000000000", "", "no passcode\u{0}at all", "&passcode=", "ü", "%00"])
    func `a wrong passcode fails all waiting requests with one error, and the next logs in`(passcode: String) async throws {
        try await OAuth2Bench.run { bench in
            try register(passcode, on: bench)
            let users = try await bench.usersWaiting(10)
            for user in users {
                let error = #expect(throws: OAuth2Error.self) { try user.get() }
                guard case .server(let refusal)? = error else {
                    Issue.record("another error")
                    continue
                }
                #expect(refusal.code == (passcode.isEmpty ? "invalid_request" : "invalid_grant"))
            }
            #expect(bench.counted.tokenRequests == [.password: 1])
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
            #expect(bench.counted.tokenRequests[.password] == 1)
        }
    }

    @Test func `without a presenter, a wrong passcode leaves an error that says so`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            try register("wrong", on: bench)
            #expect(await bench.error() is OAuth2Error)
            #expect((await bench.error() as? CountersignError)?.code == .noPresenter)
            #expect(bench.counted.tokenRequests == [.password: 1])
        }
    }

    @Test func `a passcode that the server finds too old, or has seen, is refused`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let old = try #require(bench.mock.makePasscode())
            bench.mock.advance(by: .seconds(30))
            try register(old, on: bench)
            guard case .server(let error)? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            #expect(error.code == "invalid_grant")
        }
        try await OAuth2Bench.run(presenter: nil) { bench in
            let passcode = try #require(bench.mock.makePasscode())
            let first = OAuth2Authenticator(passwordAuthenticationParameters: try parameters(passcode, for: bench))
            _ = try await first.authenticate()
            let second = OAuth2Authenticator(passwordAuthenticationParameters: try parameters(passcode, for: bench))
            await #expect(throws: OAuth2Error.self) { try await second.authenticate() }
            #expect(bench.counted.tokenAnswers == [.password: 1])
        }
    }

    @Test func `a passcode is not sent after its thirty seconds`() async throws {
        let clock = StepClock()
        try await OAuth2Bench.run(presenter: nil) { bench in
            var configuration = SAPURLSession.Configuration()
            configuration.session.clock = clock
            let session = SAPURLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            let passcode = try #require(bench.mock.makePasscode())
            let inTime = OAuth2Authenticator(
                passwordAuthenticationParameters: try parameters(passcode, for: bench), sapURLSession: session)
            clock.advance(by: .milliseconds(29_999))
            _ = try await inTime.authenticate()
            let late = OAuth2Authenticator(
                passwordAuthenticationParameters: try parameters(try #require(bench.mock.makePasscode()), for: bench),
                sapURLSession: session)
            clock.advance(by: .seconds(30))
            do {
                _ = try await late.authenticate()
                Issue.record("used too late")
            } catch OAuth2Error.invalidArgument(let detail) {
                #expect(detail.contains("password"))
            }
            #expect(bench.counted.tokenRequests == [.password: 1])
            await #expect(throws: CountersignError.self, "from now on somebody has to log in") { try await late.authenticate() }
        }
    }

    @Test func `a passcode that may have reached the server is not sent again`() async throws {
        try await OAuth2Bench.run { bench in
            try register(try #require(bench.mock.makePasscode()), on: bench)
            bench.mock.inject(tokenFault: .lostAnswer)
            #expect(await bench.error() is OAuth2Error)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenRequests == [.password: 1, .authorizationCode: 1])
        }
    }

    @Test func `a passcode that no server was there for is still good`() async throws {
        let presenter = FormFillingPresenter(user: "alice", password: "wonderland")
        try await OAuth2Bench.run(presenter: presenter) { bench in
            // Port 1 of this machine accepts no connection.
            var parameters = try parameters("passcode", for: bench)
            parameters.tokenEndpointURL = try #require(URL(string: "http://127.0.0.1:1/token"))
            let authenticator = OAuth2Authenticator(
                passwordAuthenticationParameters: parameters, sapURLSession: bench.session)
            for _ in 0..<2 {
                do {
                    _ = try await authenticator.authenticate()
                    Issue.record("nobody is there")
                } catch OAuth2Error.http {
                }
            }
            #expect(bench.counted.authorizationRequests == 0, "the second try was with the passcode, too")
        }
    }

    /// Makes requests fail before they are sent, until it is opened.
    private final class Barrier: SessionObserver {
        struct Closed: Error {}
        let name = "Barrier"
        private let isClosed = Mutex(true)
        func open() { isClosed.withLock { $0 = false } }
        func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment { .later }
        func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Countersign.Attachment {
            if isClosed.withLock({ $0 }) { throw Closed() }
            return .nothing
        }
    }

    @Test func `a passcode whose request was stopped before it was sent is still good, and is sent once`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let barrier = Barrier()
            bench.session.session.register(barrier)
            let authenticator = OAuth2Authenticator(
                passwordAuthenticationParameters: try parameters(try #require(bench.mock.makePasscode()), for: bench),
                sapURLSession: bench.session)
            for _ in 0..<2 { await #expect(throws: Barrier.Closed.self) { try await authenticator.authenticate() } }
            #expect(bench.counted.tokenRequests == [:])
            barrier.open()
            _ = try await authenticator.authenticate()
            #expect(bench.counted.tokenRequests == [.password: 1])
            let error = await #expect(throws: CountersignError.self) { try await authenticator.authenticate() }
            #expect(error?.code == .noPresenter, "the next login is by the authorization code grant")
            #expect(bench.counted.tokenRequests == [.password: 1])
        }
    }

    @Test func `a second direct login is busy while the passcode is on its way, and it can be cancelled`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let authenticator = OAuth2Authenticator(
                passwordAuthenticationParameters: try parameters(try #require(bench.mock.makePasscode()), for: bench),
                sapURLSession: bench.session)
            let gate = bench.mock.hold("/oauth2/api/v1/token", until: 2, limit: .seconds(30))
            let first = Task { try await authenticator.authenticate() }
            while gate.arrived == 0 { await Task.yield() }
            do {
                _ = try await authenticator.authenticate()
                Issue.record("not busy")
            } catch OAuth2Error.authenticationInProgress {
            }
            authenticator.cancelAuthentication()
            let result = await first.result
            guard case .failure(OAuth2Error.cancelled) = result else {
                Issue.record("not cancelled")
                return
            }
            gate.open()
        }
    }

    // MARK: Secrets

    /// Returns all text that can be obtained from a value.
    private func everything(of value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        if let error = value as? any LocalizedError {
            text += [error.errorDescription, error.failureReason, error.recoverySuggestion].compactMap { $0 }.joined()
        }
        return text
    }

    @Test func `RT-30 a passcode is in no description, error or event`() async throws {
        let canary = "c4n4ryc4n4ryc4n4ryc4n4ryc4n4ryc4"
        try await OAuth2Bench.run(presenter: nil) { bench in
            let parameters = try parameters(canary, for: bench)
            let authenticator = OAuth2Authenticator(passwordAuthenticationParameters: parameters, sapURLSession: bench.session)
            let observer = OAuth2Observer(authenticator: authenticator, tokenStore: bench.store)
            bench.session.register(observer)
            #expect(!everything(of: authenticator).contains("c4n4ry"), "and it holds one still")
            // The server echoes the passcode.
            bench.mock.inject(tokenFault: .error(canary, status: 400))
            let error = try #require(await bench.error())
            for holder in [parameters, error, bench.events.all] as [Any] {
                #expect(!everything(of: holder).contains("c4n4ry"), "\(type(of: holder))")
            }
            // The passcode is used, and no object holds it any longer.
            #expect(!everything(of: authenticator).contains("c4n4ry"))
            #expect(!everything(of: observer).contains("c4n4ry"))
        }
    }

    // MARK: Configuration

    @Test func `M34 the configuration of a QR code gives parameters, and a token without anything typed`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let payload = try #require(bench.mock.makeCrossContextConfiguration())
            let passcode = try passcode(in: payload)
            #expect(passcode.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            try register(passcode, on: bench)
            #expect(try await bench.user() == "alice")
            let address = try #require(URL(string: "com.example.app://onboarding"))
            let link = try #require(bench.mock.makeCrossContextLink(to: address))
            let items = try #require(URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems)
            #expect(items.map(\.name) == ["config"])
            let text = try #require(items[0].value)
            #expect(try self.passcode(in: Data(text.utf8)) != passcode, "each has one of its own")
        }
    }

    private func passcode(in payload: Data) throws -> String {
        struct Payload: Decodable {
            struct Method: Decodable {
                struct Config: Decodable {
                    let clients: [[String: String]]
                    enum CodingKeys: String, CodingKey { case clients = "oauth2.clients" }
                }
                let config: Config
            }
            let auth: [Method]
        }
        let clients = try JSONDecoder().decode(Payload.self, from: payload).auth.flatMap(\.config.clients)
        return try #require(clients.first { $0["grantType"] == "password" }?["passcode"])
    }

    @Test func `M14 parameters come from a configuration, and not without a passcode`() throws {
        var config = [
            "oauth2.authorizationEndpoint": "/authorize", "oauth2.tokenEndpoint": "/token", "oauth2.clientID": "code",
            "oauth2.clients.password.clientID": "pass", "oauth2.redirectURL": "com.example:/callback", "oauth2.passcode": "p",
        ]
        func read() throws -> OAuth2PasswordAuthenticationParameters {
            try OAuth2PasswordAuthenticationParameters(
                discoveryServiceConfig: ["host": "app.example", "auth": [["type": "oauth2", "config": config]]])
        }
        let parameters = try read()
        #expect(parameters.clientID == "pass")
        #expect(parameters.tokenEndpointURL.absoluteString == "https://app.example/token")
        #expect(!"\(parameters)".contains("\"p\""))
        config["oauth2.passcode"] = nil
        #expect(throws: ConfigurationError.self) { try read() }
    }
}
