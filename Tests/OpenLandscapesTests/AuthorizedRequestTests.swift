import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPAuthentication
import HTTPTypes
import OAuth
import OpenIDConnect
import TestTurns
import Testing

/// Requests with a credential that other code sends.
@Suite(.takesTurns) struct AuthorizedRequestTests: OpenIDBench {
    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        return options
    }

    /// Sends a request without a session, as another client does.
    private func send(_ request: HTTPRequest) async throws -> Int {
        let transport = AsyncHTTPClientTransport()
        let response = try await transport.send(SessionRequest(request))
        _ = try await response.body.collect(upTo: 65_536)
        try await transport.shutdown()
        return response.head.status.code
    }

    private func request(_ server: MockAuthorizationServer) -> HTTPRequest {
        HTTPRequest(url: server.baseURL.appending(path: "data"))
    }

    @Test func `another client sends a request with the current token, which is renewed if it has expired`() async throws {
        let user = User()
        let clock = ForwardClock()
        var options = Self.options
        options.accessTokenLifetime = .seconds(600)
        try await MockAuthorizationServer.run(options: options) { server in
            var configuration = SessionConfiguration()
            configuration.presenter = user
            configuration.clock = clock
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            let observer = OpenIDLoginObserver(parameters: try parameters(server))
            session.register(observer)
            // The user is not asked here.
            let bare = try await session.authorized(request(server))
            #expect(bare.headerFields[.authorization] == nil)
            #expect(user.count == 0)

            try await observer.authenticate(for: server.baseURL, in: session)
            let first = try await session.authorized(request(server))
            #expect(try await send(first) == 200)
            clock.advance(by: .seconds(601))
            server.advance(by: .seconds(601))
            #expect(try await send(first) == 401)
            let second = try await session.authorized(request(server))
            #expect(try await send(second) == 200)
            #expect(first.headerFields[.authorization] != second.headerFields[.authorization])
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a request to another origin carries nothing`() async throws {
        try await run { (server, session) async throws in
            let observer = OpenIDLoginObserver(parameters: try parameters(server))
            session.register(observer)
            try await observer.authenticate(for: server.baseURL, in: session)
            let elsewhere = HTTPRequest(url: try #require(URL(string: "https://elsewhere.example/data")))
            #expect(try await session.authorized(elsewhere) == elsewhere)
        }
    }

    @Test func `a proof of possession is of this request`() async throws {
        try await run {
            var proof = MockProofOptions()
            proof.isRequired = true
            $0.proof = proof
        } _: { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.provesPossession = true
            let observer = OpenIDLoginObserver(parameters: parameters)
            session.register(observer)
            try await observer.authenticate(for: server.baseURL, in: session)
            let name = try #require(HTTPField.Name("DPoP"))
            let requests = [try await session.authorized(request(server)), try await session.authorized(request(server))]
            #expect(requests[0].headerFields[name] != nil && requests[0].headerFields[name] != requests[1].headerFields[name])
            for request in requests { #expect(try await send(request) == 200) }
        }
    }

    @Test func `the cookies and default fields of the session are added, and nothing else is changed`() async throws {
        let url = try #require(URL(string: "https://service.example/data?a=b"))
        var configuration = SessionConfiguration()
        configuration.defaultFields[.userAgent] = "app"
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        session.cookies.set(Cookie(name: "sid", value: "1", domain: "service.example", isHostOnly: true))
        session.register(APIKeyObserver(parameters: APIKeyParameters(key: "key", servers: [url])))
        var expected = HTTPRequest(method: .post, url: url, headerFields: [.accept: "text/plain"])
        let request = try await session.authorized(expected)
        expected.headerFields[.userAgent] = "app"
        #expect(request.headerFields[.cookie] == "sid=1")
        #expect(request.headerFields.count == 4)
        #expect(request.url == url && request.method == .post && request.headerFields[.accept] == "text/plain")
        await session.invalidate(cancelling: true)
    }

    @Test func `a certificate of the connection cannot be carried, and a closed session has no credentials`() async throws {
        let url = try #require(URL(string: "https://service.example/"))
        let session = Session(transport: AsyncHTTPClientTransport())
        session.register(CertificateBearer())
        #expect(await code { try await session.authorized(HTTPRequest(url: url)) } == .invalidRequest)
        await session.invalidate(cancelling: true)
        #expect(await code { try await session.authorized(HTTPRequest(url: url)) } == .sessionInvalidated)
    }

    /// Has a client certificate for every connection.
    private final class CertificateBearer: SessionObserver {
        let name = "CertificateBearer"

        func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment {
            .connection(ConnectionIdentity(certificateChain: [[1]], privateKey: SecretBytes(utf8: "key")), .none)
        }
    }
}
