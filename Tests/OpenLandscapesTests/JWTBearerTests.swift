import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Crypto
import Foundation
import Google
import HTTPTypes
import JWTBearer
import Synchronization
import TestTurns
import Testing

/// Tokens for signed assertions (RFC 7523, section 2.1), on sockets, from a server that verifies the assertions with other code.
@Suite(.takesTurns) struct JWTBearerTests {
    private static let key = P256.Signing.PrivateKey()

    private static func options(secret: String? = nil) -> MockOAuth2Options {
        var options = MockOAuth2Options()
        options.clients.append(
            MockOAuth2Client(id: "reports", secret: secret, grants: [.jwtBearer], key: key.publicKey.pemRepresentation))
        return options
    }

    private func run(
        clock: any Clock<Duration> = ContinuousClock(), secret: String? = nil,
        _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        var options = Self.options(secret: secret)
        change(&options)
        try await MockAuthorizationServer.run(options: options) { server in
            var configuration = SessionConfiguration()
            configuration.clock = clock
            var transport = AsyncHTTPClientTransport.Configuration()
            transport.maximumConnectionsPerHost = 100
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
            do {
                try await body(server, session)
            } catch {
                Issue.record(error)
            }
            await session.invalidate(cancelling: true)
        }
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))), session)
    }

    private func parameters(
        _ server: MockAuthorizationServer, subject: String = "alice", key: P256.Signing.PrivateKey = key
    ) -> JWTBearerParameters {
        JWTBearerParameters(
            apis: [server.baseURL], tokenURL: server.tokenEndpoint, assertionIssuer: "reports", subject: subject,
            key: key.pemRepresentation)
    }

    @Test func `one assertion is enough for a hundred requests, and the next is sent before the token expires`() async throws {
        let clock = ForwardClock()
        try await run(clock: clock) {
            $0.accessTokenLifetime = .seconds(600)
        } _: { (server, session) async throws in
            let observer = JWTBearerObserver(parameters: parameters(server))
            try await expectOneTokenAtATime(of: observer, by: .jwtBearer, from: server, in: session, clock)
            // The server accepts each assertion once.
            #expect(server.statistics.refusals.isEmpty)
            // The client need not authenticate otherwise.
            #expect(server.statistics.assertions == 0)
        }
    }

    @Test func `a client that acts for itself, with an issuer as the audience and chosen scopes`() async throws {
        try await run { (server, session) async throws in
            var parameters = parameters(server, subject: "reports")
            parameters.audience = server.baseURL.absoluteString
            parameters.keyID = "2026-11"
            parameters.scopes = "read"
            parameters.assertedScopes = "read"
            session.register(JWTBearerObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test(arguments: [
        (JWTBearerParameters.ClientAuthentication.clientSecretBasic, MockOAuth2Client.Authentication.basic),
        (.clientSecretPost, .body),
    ])
    func `a client can authenticate besides`(
        method: JWTBearerParameters.ClientAuthentication, authentication: MockOAuth2Client.Authentication
    ) async throws {
        try await run(secret: "s3cret") {
            $0.clients[$0.clients.count - 1].authentications = [authentication]
        } _: { (server, session) async throws in
            var parameters = parameters(server)
            parameters.clientID = "reports"
            parameters.clientSecret = "s3cret"
            parameters.clientAuthentication = method
            session.register(JWTBearerObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `an assertion by another key, for another server or for an unknown user is refused, and sent once`() async throws {
        func refused(_ change: (inout JWTBearerParameters) -> Void) async throws {
            try await run { (server, session) async throws in
                var parameters = parameters(server)
                change(&parameters)
                session.register(JWTBearerObserver(parameters: parameters))
                for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
                #expect(server.statistics.refusals == ["invalid_grant": 1])
            }
        }
        try await refused { $0.key = P256.Signing.PrivateKey().pemRepresentation }
        try await refused { $0.audience = "https://other.example" }
        try await refused { $0.subject = "mallory" }
    }

    @Test func `a text that is no key is an error that says so, and nothing is sent`() async throws {
        try await run { (server, session) async throws in
            var parameters = parameters(server)
            parameters.key = "-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----"
            session.register(JWTBearerObserver(parameters: parameters))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.detail.contains("not a private key in PEM") == true)
            #expect("\(String(describing: error)) \(String(reflecting: error))".contains("c4n4ry") == false)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }

    @Test func `neither the key nor an assertion is in an event or a description`() async throws {
        let events = Events()
        try await MockAuthorizationServer.run(options: Self.options()) { (server) async throws in
            var configuration = SessionConfiguration()
            configuration.eventObservers = [events]
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            let parameters = parameters(server)
            session.register(JWTBearerObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            await session.invalidate(cancelling: true)
            let secret = parameters.key.split(separator: "\n")[1]
            let shown = "\(parameters) \(String(reflecting: parameters)) \(events.all.joined(separator: "\n"))"
            #expect(!shown.contains(secret) && !shown.contains("eyJ"))
            #expect(events.all.contains { $0.contains("compute") })
        }
    }

    @Test func `a service account of Google, for itself and for a user`() async throws {
        try await run { (server, session) async throws in
            func parameters(user: String?) -> ServiceAccountParameters {
                ServiceAccountParameters(
                    apis: [server.baseURL], account: "reports", key: Self.key.pemRepresentation, scopes: "read",
                    keyID: "0a1b", user: user, tokenURL: server.tokenEndpoint)
            }
            // The mock requires a subject, as the RFC does.
            session.register(ServiceAccountObserver(parameters: parameters(user: "alice")))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.jwtBearer: 1])
        }
        try await DescribedMock.run { url in
            ServiceAccountParameters(
                apis: [url], account: "reports@notes.example", key: Self.key.pemRepresentation, scopes: "read",
                tokenURL: url.appending(path: "token"))
        } test: { mock, parameters in
            await withSession { (session) async throws in
                session.register(ServiceAccountObserver(parameters: parameters))
                #expect(try await status(SessionRequest(HTTPRequest(url: mock.url.appending(path: "data"))), session) == 200)
                let form = try #require(mock.requests.first { $0.path == "/token" }?.body)
                let assertion = try #require(String(decoding: form, as: UTF8.self).firstMatch(of: /assertion=([^&]+)/)?.1)
                let claims = try Self.claims(of: String(assertion))
                #expect(claims["iss"] == "reports@notes.example" && claims["scope"] == "read")
                #expect(claims["aud"] == mock.url.appending(path: "token").absoluteString && claims["sub"] == nil)
            }
        }
    }

    /// Returns the claims of a token that are texts.
    private static func claims(of token: String) throws -> [String: String] {
        let part = try #require(token.split(separator: ".").dropFirst().first)
        let letters = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        let object = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: String(letters) + padding)))
        return try #require(object as? [String: Any]).compactMapValues { $0 as? String }
    }

    /// The events of a session as texts.
    private final class Events: SessionEventObserver {
        private let seen = Mutex<[String]>([])

        var all: [String] { seen.withLock { $0 } }

        func observe(_ event: SessionEvent) { seen.withLock { $0.append("\(event) \(String(reflecting: event)) \(event.kind)") } }
    }
}
