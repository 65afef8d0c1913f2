import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Client certificates at servers of other projects.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct ForeignServerTests {
    private static let hasOpenSSL = ForeignProgram.isInstalled("openssl")
    private static let hasNginx = ForeignProgram.isInstalled("nginx")

    private func text(_ url: URL, in session: SAPURLSession) async throws -> String {
        String(decoding: try await session.data(from: url).0, as: UTF8.self)
    }

    @Test(.enabled(if: hasOpenSSL, "there is no openssl here"), arguments: ["-tls1_2", "-tls1_3"])
    func `M20 openssl s_server ends the handshake, and is answered`(version: String) async throws {
        let authority = try MockCertificateAuthority()
        try await ForeignServer.withOpenSSL(authority, version: version) { server in
            let session = try IdentityBench.session(trusting: authority)
            let stranger = try MockCertificateAuthority(name: "Stranger")
            let discovery = ScriptedIdentities(
                .success(try stranger.archive(for: "mallory")), .success(try authority.archive(for: "alice")))
            session.register(UserIdentityObserver(userIdentityDiscovery: discovery))
            let error = await #expect(throws: UserIdentityObserverError.self) { try await text(server.url("orders"), in: session) }
            #expect(error.map { if case .invalidUserIdentity = $0 { true } else { false } } == true)
            #expect(try await text(server.url("orders"), in: session) == "openssl")
            #expect(discovery.count == 2)
            await session.session.invalidate(cancelling: true)
        }
    }

    @Test(.enabled(if: hasNginx, "there is no nginx here; install it, such as the package nginx-light"))
    func `M20 RT-46 nginx answers by pages; a thousand requests take one handshake for each connection`() async throws {
        let authority = try MockCertificateAuthority()
        try await ForeignServer.withNginx(authority) { server in
            var configuration = SAPURLSession.Configuration()
            configuration.transport.trustRoots = .pem(try authority.pem)
            configuration.transport.maximumConnectionsPerHost = 8
            configuration.transport.connectTimeout = .seconds(300)
            configuration.session.requestTimeout = .seconds(300)
            let session = SAPURLSession(configuration: configuration)
            let discovery = ScriptedIdentities(.success(try authority.archive(for: "alice")))
            session.register(UserIdentityObserver(userIdentityDiscovery: discovery))
            let url = try server.url("orders")
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1000 { group.addTask { try await text(url, in: session) } }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == ["CN=alice": 1000])
            #expect(discovery.count == 1)
            // nginx closes a connection after its page of status code 400, and later requests use the connections with the
            // identity.
            #expect(try server.connections("SUCCESS").count <= 8)
            await session.session.invalidate(cancelling: true)
        }
    }

    @Test(.enabled(if: hasNginx, "there is no nginx here; install it, such as the package nginx-light"))
    func `M20 a certificate that nginx refuses by its page is replaced`() async throws {
        let authority = try MockCertificateAuthority()
        try await ForeignServer.withNginx(authority) { server in
            let session = try IdentityBench.session(trusting: authority)
            let store = IdentityMemory()
            let stranger = try MockCertificateAuthority(name: "Stranger")
            store.store(identity: try stranger.archive(for: "mallory"), for: try server.url(""))
            let discovery = ScriptedIdentities(.success(try authority.archive(for: "alice")))
            session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: store))
            #expect(try await text(server.url("orders"), in: session) == "CN=alice")
            #expect(discovery.count == 1)
            await session.session.invalidate(cancelling: true)
        }
    }
}
