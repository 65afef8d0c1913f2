import Countersign
import CountersignTesting
import Foundation
import HTTPAuthentication
import HTTPTypes
import Keystone
import OpenIDConnect
import TestTurns
import Testing

/// The generated types of credentials, which the application reads.
@Suite(.takesTurns) struct CredentialTests: OpenIDBench {
    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read"]
        return options
    }

    /// Has no password.
    private struct Nobody: HTTPBasicPrompting {
        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? { nil }
    }

    @Test func `the credential of OpenID Connect names the user who is signed in, until the logout`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) { (server, session) async throws in
            let observer = OpenIDLoginObserver(parameters: try parameters(server), store: store)
            session.register(observer)
            #expect(try await observer.credential(in: session) == nil)
            #expect(user.count == 0)

            try await observer.authenticate(for: server.baseURL, in: session)
            let credential = try #require(try await observer.credential(in: session))
            #expect(credential.subject == "alice")
            #expect(credential.tokenType == "Bearer" && credential.proofKey == nil)
            let request = try await session.authorized(HTTPRequest(url: server.baseURL.appending(path: "data")))
            #expect(request.headerFields[.authorization] == "Bearer \(credential.accessToken)")
            #expect(try #require(credential.expirationDate) > Date())
            #expect("\(credential)".contains("subject: alice") && "\(credential)".contains("accessToken: <redacted>"))
            #expect(!"\(credential)".contains(credential.accessToken))

            // A later process reads it from the store.
            await withSession(presenter: user) { (second) async throws in
                let observer = OpenIDLoginObserver(parameters: try parameters(server), store: store)
                second.register(observer)
                let stored = try await observer.credential(in: second)
                #expect(stored?.subject == "alice" && stored?.accessToken == credential.accessToken)
                #expect(stored?.refreshToken == credential.refreshToken)
            }
            #expect(user.count == 1)

            try await session.logOut()
            #expect(try await observer.credential(in: session) == nil)
        }
    }

    @Test func `a renewal keeps the user's name`() async throws {
        try await run { (server, session) async throws in
            let observer = OpenIDLoginObserver(parameters: try parameters(server))
            session.register(observer)
            #expect(try await call(server, session) == 200)
            let first = try await observer.credential(in: session)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            let second = try await observer.credential(in: session)
            #expect(second?.subject == "alice")
            #expect(second?.accessToken != first?.accessToken)
            #expect(server.statistics.refreshes == 1)
        }
    }

    @Test func `the credential of a device names the user`() async throws {
        try await run { (server, session) async throws in
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = MockDeviceUser("alice", at: server)
            let device = Session(configuration: configuration, transport: session.transport)
            let observer = OpenIDDeviceObserver(
                parameters: OpenIDDeviceParameters(
                    apis: [server.baseURL], issuer: server.baseURL, clientID: MockOAuth2Client.device.id, scopes: "openid read"))
            device.register(observer)
            try await observer.authenticate(for: server.baseURL, in: device)
            #expect(try await observer.credential(in: device)?.subject == "alice")
        }
    }

    @Test func `the token of Keystone can be passed to another library`() async throws {
        try await MockKeystone.run { mock in
            await withSession { (session) async throws in
                let observer = KeystonePasswordObserver(
                    parameters: KeystonePasswordParameters(
                        identityURL: mock.identityURL, cloud: [mock.url], user: "alice", password: "wonderland"))
                session.register(observer)
                #expect(try await observer.credential(in: session) == nil)
                try await observer.authenticate(for: mock.url, in: session)
                let credential = try #require(try await observer.credential(in: session))
                let seconds = try #require(credential.expirationDate).timeIntervalSinceNow
                #expect(seconds > 3000 && seconds < 3700)
                #expect(!"\(credential)".contains(credential.token))

                var request = HTTPRequest(url: mock.url.appending(path: "servers"))
                let name = try #require(HTTPField.Name("X-Auth-Token"))
                request.headerFields[name] = credential.token
                #expect(try await status(SessionRequest(request), session) == 200)
                #expect(mock.statistics.challenges == 0)
            }
        }
    }

    @Test func `a method without a credential for a URL has none there`() async throws {
        let server = try #require(URL(string: "https://app.example"))
        await withSession { (session) async throws in
            let observer = HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [server]), prompting: Nobody())
            session.register(observer)
            #expect(try await observer.credential(for: server, in: session) == nil)
            session.unregister(observer)
            #expect(await code { try await observer.credential(for: server, in: session) } == .invalidRequest)
        }
    }
}
