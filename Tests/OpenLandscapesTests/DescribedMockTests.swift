import AmazonWebServices
import ContainerRegistry
import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Crypto
import FormLogin
import Foundation
import HTTPAuthentication
import HTTPTypes
import JWTBearer
import Keystone
import ModelContextProtocol
import OAuth
import OpenIDConnect
import SAMLECP
import TestTurns
import Testing
import Transmission

/// The mock of each landscape that follows from its spec, on sockets, with the client that is generated from the same spec.
@Suite(.takesTurns) struct DescribedMockTests {
    /// Sends three requests, the last after all sessions have ended, and returns the mock's counts.
    private func use<Parameters: ProgramParameters>(
        accepting: [String: String] = [:], _ parameters: @Sendable (URL) throws -> Parameters,
        observer: (Parameters) -> ProgramObserver<Parameters>
    ) async throws -> DescribedMock.Statistics {
        try await DescribedMock.run(accepting: accepting, parameters) { mock, parameters in
            await withSession(presenter: FormFillingPresenter(user: "alice", password: "wonderland")) { (session) async throws in
                session.register(observer(parameters))
                let first = try await status(of: mock.url.appending(path: "data"), session)
                #expect(first == 200)
                let second = try await status(of: mock.url.appending(path: "data/2"), session)
                #expect(second == 200)
                mock.endAllSessions()
                let third = try await status(of: mock.url.appending(path: "data/3"), session)
                #expect(third == 200)
            }
            return mock.statistics
        }
    }

    private func status(of url: URL, _ session: Session) async throws -> Int {
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        _ = try await response.body.collect(upTo: 4096)
        return response.head.status.code
    }

    /// Gives the same user name and password to every prompt.
    private struct Alice: HTTPAuthentication.HTTPBasicPrompting, HTTPDigestPrompting, Transmission.HTTPBasicPrompting {
        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            ("alice", prompt.refusals == 0 ? "looking-glass" : "wonderland")
        }
    }

    @Test func `form login`() async throws {
        let counts = try await use {
            FormLoginParameters(loginURL: $0.appending(path: "login"), user: "alice", password: "wonderland")
        } observer: {
            FormLoginObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.challenges == 2)
        #expect(counts.resources == 3)
        #expect(counts.refusals == 0)
        #expect(counts.sends["/login"] == 4)
    }

    @Test func `json login`() async throws {
        let counts = try await use {
            JSONRPCLoginParameters(url: $0.appending(path: "rpc"), password: "wonderland")
        } observer: {
            JSONRPCLoginObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `keystone`() async throws {
        let counts = try await use {
            KeystonePasswordParameters(
                identityURL: $0.appending(path: "v3"), cloud: [$0], user: "alice", password: "wonderland", project: "demo")
        } observer: {
            KeystonePasswordObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `registry token`() async throws {
        let counts = try await use {
            RegistryTokenParameters(registries: [$0], tokenServers: [$0], user: "alice", password: "wonderland")
        } observer: {
            RegistryTokenObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `authorization code`() async throws {
        let counts = try await use {
            AuthorizationCodeParameters(
                apis: [$0], authorizationURL: $0.appending(path: "authorize"), tokenURL: $0.appending(path: "token"),
                clientID: "app", redirectURL: URL(string: "http://127.0.0.1/callback")!, clientSecret: "secret",
                issuer: "https://issuer.example")
        } observer: {
            AuthorizationCodeObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `a page redirects to the port that the presenter has chosen`() async throws {
        let callback = try #require(URL(string: "http://127.0.0.1/callback"))
        try await DescribedMock.run { url in
            AuthorizationCodeParameters(
                apis: [url], authorizationURL: url.appending(path: "authorize"), tokenURL: url.appending(path: "token"),
                clientID: "app", redirectURL: callback)
        } test: { mock, _ in
            await withSession { (session) async throws in
                let page = URL(
                    string: "\(mock.url)/authorize?response_type=code&client_id=app&state=s1"
                        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fcallback")
                let request = HTTPRequest(url: try #require(page))
                let response = try await session.send(SessionRequest(request, followsRedirects: false))
                #expect(response.head.status == .found)
                let location = try #require(response.head.headerFields[.location])
                #expect(location.hasPrefix("http://127.0.0.1:49152/callback?") && location.contains("state=s1"))
            }
        }
    }

    @Test func `a renewal is enough after an expired credential, and not after the end of all sessions`() async throws {
        try await DescribedMock.run { url in
            AuthorizationCodeParameters(
                apis: [url], authorizationURL: url.appending(path: "authorize"), tokenURL: url.appending(path: "token"),
                clientID: "app", redirectURL: url.appending(path: "callback"), revocationURL: url.appending(path: "revoke"))
        } test: { mock, parameters in
            await withSession(presenter: FormFillingPresenter(user: "alice", password: "wonderland")) { (session) async throws in
                session.register(AuthorizationCodeObserver(parameters: parameters))
                let url = mock.url.appending(path: "data")
                _ = try await status(of: url, session)
                mock.expireCredentials()
                let renewed = try await status(of: url, session)
                #expect(renewed == 200)
                #expect(mock.statistics.logins == 1 && mock.statistics.renewals == 1)
                mock.endAllSessions()
                let again = try await status(of: url, session)
                #expect(again == 200)
                #expect(mock.statistics.logins == 2 && mock.statistics.refusals == 1)
                #expect(mock.challengeNext("scope") && !mock.challengeNext("unknown"))
                let wider = try await status(of: url, session)
                #expect(wider == 200)
                #expect(mock.statistics.logins == 3)
                mock.inject(.status(503), matching: "/data")
                let broken = try await status(of: url, session)
                #expect(broken == 503)
                try await session.logOut()
                #expect(mock.statistics.logouts > 0)
                #expect(mock.requests.last?.path == "/revoke")
            }
        }
    }

    @Test func `the application answers authenticated requests`() async throws {
        try await DescribedMock.run(resource: { request, body in
            (HTTPResponse(status: .created), Array("\(request.method) \(request.path ?? "") \(body.count)".utf8))
        }) { url in
            QueryAPIKeyParameters(key: "0123456789", servers: [url])
        } test: { mock, parameters in
            await withSession { (session) async throws in
                let url = mock.url.appending(path: "notes")
                let refused = try await status(of: url, session)
                #expect(refused == 401)
                session.register(QueryAPIKeyObserver(parameters: parameters))
                let request = SessionRequest(HTTPRequest(method: .post, url: url), body: .bytes([1, 2, 3]))
                let response = try await session.send(request)
                #expect(response.head.status == .created)
                let body = try await response.body.collect(upTo: 4096)
                #expect(String(decoding: body, as: UTF8.self) == "POST /notes?key=0123456789 3")
            }
        }
    }

    @Test func `client credentials`() async throws {
        let counts = try await use {
            ClientCredentialsParameters(
                apis: [$0], tokenURL: $0.appending(path: "token"), clientID: "app", clientSecret: "secret")
        } observer: {
            ClientCredentialsObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `signed assertions`() async throws {
        let counts = try await use {
            JWTBearerParameters(
                apis: [$0], tokenURL: $0.appending(path: "token"), assertionIssuer: "app", subject: "alice",
                key: P256.Signing.PrivateKey().pemRepresentation)
        } observer: {
            JWTBearerObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
        #expect(counts.refusals == 0)
    }

    @Test func `signed requests`() async throws {
        let counts = try await use {
            AccessKeyParameters(
                endpoints: [$0], region: "eu-central-1", service: "objects", accessKeyID: "key", secretAccessKey: "secret")
        } observer: {
            AccessKeyObserver(parameters: $0)
        }
        #expect(counts.resources == 3)
        #expect(counts.challenges == 0)
    }

    @Test func `signed requests with a temporary key`() async throws {
        let counts = try await use {
            AssumedRoleParameters(
                endpoints: [$0], region: "eu-central-1", service: "objects", tokenService: $0.appending(path: "sts"),
                role: "arn:aws:iam::123456789012:role/reports", accessKeyID: "key", secretAccessKey: "secret")
        } observer: {
            AssumedRoleObserver(parameters: $0)
        }
        #expect(counts.resources == 3)
        #expect(counts.logins == 2)
        #expect(counts.challenges == 1)
    }

    @Test func `api key`() async throws {
        let counts = try await use {
            APIKeyParameters(key: "0123456789", servers: [$0])
        } observer: {
            APIKeyObserver(parameters: $0)
        }
        #expect(counts.resources == 3)
        #expect(counts.challenges == 0)
    }

    @Test func `saml ecp`() async throws {
        let counts = try await use {
            SAMLECPParameters(
                servers: [$0], identityProviderURL: $0.appending(path: "idp"), user: "alice", password: "wonderland")
        } observer: {
            SAMLECPObserver(parameters: $0)
        }
        #expect(counts.logins == 2)
        #expect(counts.resources == 3)
    }

    @Test func `mcp authorization`() async throws {
        let counts = try await use {
            MCPAuthorizationParameters(
                server: $0.appending(path: "mcp"), issuers: [$0], redirectURL: URL(string: "http://127.0.0.1/callback")!)
        } observer: {
            MCPAuthorizationObserver(parameters: $0)
        }
        #expect(counts.resources == 3)
    }

    @Test func `basic with a wrong password first`() async throws {
        let counts = try await use(accepting: ["user": "alice", "password": "wonderland"]) {
            HTTPAuthentication.HTTPBasicParameters(servers: [$0])
        } observer: {
            HTTPAuthentication.HTTPBasicObserver(parameters: $0, prompting: Alice())
        }
        #expect(counts.challenges == 2)
        #expect(counts.resources == 3)
    }

    @Test func `digest with a wrong password first`() async throws {
        let counts = try await use(accepting: ["user": "alice", "password": "wonderland"]) {
            HTTPDigestParameters(servers: [$0])
        } observer: {
            HTTPDigestObserver(parameters: $0, prompting: Alice())
        }
        #expect(counts.challenges == 2)
        #expect(counts.resources == 3)
    }

    @Test func `two methods that a request needs both`() async throws {
        try await DescribedMock.run(
            requiring: .all, accepting: ["password": "wonderland"],
            methods: { [TransmissionSessionParameters(server: [$0]), Transmission.HTTPBasicParameters(servers: [$0])] },
            test: { mock in
                await withSession { (session) async throws in
                    session.register(TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])))
                    session.register(
                        Transmission.HTTPBasicObserver(
                            parameters: Transmission.HTTPBasicParameters(servers: [mock.url]), prompting: Alice()))
                    let status = try await status(of: mock.url.appending(path: "rpc"), session)
                    #expect(status == 200)
                    #expect(mock.statistics.challenges == 3)
                    #expect(mock.statistics.resources == 1)
                }
            })
    }

    @Test func `a method with signed tokens is refused with its place`() async throws {
        let error = await #expect(throws: MockLandscapeError.self) {
            try await DescribedMock.run(
                { url in
                    OpenIDLoginParameters(
                        apis: [url], issuer: url, clientID: "app", redirectURL: URL(string: "http://127.0.0.1/callback")!)
                }, test: { _, _ in })
        }
        let reason = "it verifies a signed token; use 'MockAuthorizationServer'"
        guard case .unplayable(method: "OpenIDLogin", let key, reason)? = error else {
            Issue.record("\(error.map(String.init(describing:)) ?? "no error")")
            return
        }
        #expect(key.hasPrefix("acquire."))
    }
}
