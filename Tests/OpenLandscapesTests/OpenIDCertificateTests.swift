import Countersign
import CountersignAsyncHTTPClient
import CountersignIdentity
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// Services that authenticate by a certificate, and tokens that are bound to it (RFC 8705), over TLS.
@Suite(.takesTurns) struct OpenIDCertificateTests {
    /// An application with a certificate.
    private final class Program: OpenIDCertificatePrompting {
        private let identity: Mutex<ClientIdentity?>
        private let asked = Mutex(0)

        init(_ identity: ClientIdentity?) { self.identity = Mutex(identity) }

        var count: Int { asked.withLock { $0 } }

        func replace(by identity: ClientIdentity) { self.identity.withLock { $0 = identity } }

        func identity(for prompt: CredentialPrompt) -> ConnectionIdentity? {
            asked.withLock { $0 += 1 }
            return identity.withLock { $0?.connectionIdentity }
        }
    }

    private func run(
        _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ body: (MockAuthorizationServer, MockCertificateAuthority, ClientIdentity) async throws -> Void
    ) async throws {
        let authority = try MockCertificateAuthority()
        let identity = try authority.identity(for: "reports")
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.openID?.hasCertificateEndpoint = true
        var client = MockOAuth2Client(id: "reports", grants: [.clientCredentials])
        client.certificate = identity.certificateChain[0]
        options.clients.append(client)
        change(&options)
        var certificates = MockCertificateOptions(authority: authority)
        certificates.demand = .page
        try await MockAuthorizationServer.run(options: options, certificates: certificates) { (server) async throws in
            try await body(server, authority, identity)
        }
    }

    private func withSession(
        _ server: MockAuthorizationServer, _ authority: MockCertificateAuthority, _ program: Program?,
        _ body: (Session) async throws -> Void
    ) async throws {
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .pem(try authority.pem)
        transport.maximumConnectionsPerHost = 100
        // A hundred handshakes at once take a slow machine long.
        transport.connectTimeout = .seconds(300)
        var configuration = SessionConfiguration()
        configuration.requestTimeout = .seconds(300)
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        if let program {
            session.register(
                OpenIDCertificateObserver(
                    parameters: OpenIDCertificateParameters(apis: [server.baseURL], issuer: server.baseURL, clientID: "reports"),
                    prompting: program))
        }
        do {
            try await body(session)
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))), session)
    }

    @Test(arguments: [true, false]) func `a hundred requests take one token, and each goes over a connection with the certificate`(
        hasEndpoint: Bool
    ) async throws {
        try await run({ $0.openID?.hasCertificateEndpoint = hasEndpoint }) { (server, authority, identity) async throws in
            let program = Program(identity)
            try await withSession(server, authority, program) { (session) async throws in
                server.hold(.prefix("/data"), until: 100)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<100 { group.addTask { try await call(server, session) } }
                    for try await status in group { #expect(status == 200) }
                }
                #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
                #expect(program.count == 1)
                server.expireAccessTokens()
                #expect(try await call(server, session) == 200)
                #expect(server.statistics.refusals.isEmpty)
            }
        }
    }

    @Test func `another certificate gets no token, and a token is worth nothing without its own`() async throws {
        try await run { (server, authority, identity) async throws in
            try await withSession(server, authority, Program(try authority.identity(for: "others"))) { (session) async throws in
                #expect(await code { try await call(server, session) } == .refusedByServer)
                #expect(server.statistics.refusals["invalid_client"] != nil && server.statistics.tokenAnswers.isEmpty)
            }
            let program = Program(identity)
            try await withSession(server, authority, program) { (session) async throws in
                #expect(try await call(server, session) == 200)
            }
        }
    }

    @Test func `without a certificate nothing is sent to the token endpoint`() async throws {
        try await run { (server, authority, _) async throws in
            try await withSession(server, authority, Program(nil)) { (session) async throws in
                #expect(await code { try await call(server, session) } == .credentialMissing)
                #expect(server.statistics.tokenRequests.isEmpty)
            }
        }
    }

    @Test(arguments: [#""https://evil.example/token""#, #""http://login.example/token""#])
    func `an endpoint for certificates elsewhere is refused`(place: String) async throws {
        try await run { (server, authority, identity) async throws in
            server.inject(
                MockPublicationFault.metadata(["mtls_endpoint_aliases": "{\"token_endpoint\":\(place)}"]), times: .max)
            try await withSession(server, authority, Program(identity)) { (session) async throws in
                #expect(await code { try await call(server, session) } == .addressRefused)
                #expect(server.statistics.tokenRequests.isEmpty)
            }
        }
    }
}
