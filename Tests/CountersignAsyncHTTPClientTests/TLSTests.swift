import Countersign
import CountersignAsyncHTTPClient
import Hummingbird
import NIOSSL
import TestServers
import TestTurns
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct TLSTests {
    typealias TrustRoots = AsyncHTTPClientTransport.TrustRoots

    private func failure(
        host: String = "localhost", server: TLSConfiguration, configuration: AsyncHTTPClientTransport.Configuration
    ) async throws -> TransportError? {
        var patient = configuration
        patient.connectTimeout = .seconds(300)
        let transport = AsyncHTTPClientTransport(configuration: patient)
        return try await withServer(.tls(server)) { router in
            router.get("/") { _, _ in "ok" }
        } body: { port in
            do {
                _ = try await transport.send(.get("https", port: port, host: host, "/"))
                return nil
            } catch {
                return try #require(error as? TransportError)
            }
        }
    }

    @Test func `a server of an authority that was named is trusted`() async throws {
        let certificates = try TestCertificates.shared.get()
        let alone = AsyncHTTPClientTransport.Configuration.with { $0.trustRoots = .pem(certificates.authority) }
        #expect(try await failure(server: certificates.server, configuration: alone) == nil)
        let beside = AsyncHTTPClientTransport.Configuration.with {
            $0.trustRoots = .system.adding(.pem(certificates.authority))
        }
        #expect(try await failure(server: certificates.server, configuration: beside) == nil)
    }

    @Test func `a server of an unknown authority is refused`() async throws {
        let certificates = try TestCertificates.shared.get()
        let error = try await failure(server: certificates.server, configuration: .init())
        #expect(error?.reason == .tls)
        #expect(error?.requestMayHaveBeenProcessed == false)
        #expect(error?.detail.hasPrefix("the server's certificate is not trusted") == true)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a certificate for another name is refused`(host: String) async throws {
        let certificates = try TestCertificates(serverName: "elsewhere.example")
        let trusting = AsyncHTTPClientTransport.Configuration.with { $0.trustRoots = .pem(certificates.authority) }
        let error = try await failure(host: host, server: certificates.server, configuration: trusting)
        #expect(error?.reason == .tls)
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `a server that only speaks an older version is refused`() async throws {
        let certificates = try TestCertificates.shared.get()
        var server = certificates.server
        server.maximumTLSVersion = .tlsv12
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.trustRoots = .pem(certificates.authority)
        #expect(try await failure(server: server, configuration: configuration) == nil)
        configuration.minimumTLSVersion = .tls13
        let error = try await failure(server: server, configuration: configuration)
        #expect(error?.reason == .tls)
    }

    @Test func `a server that does not speak TLS is a TLS error`() async throws {
        try await withRawServer { connection in
            try await connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = await connection.drain()
        } body: { port in
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport(configuration: .with { $0.connectTimeout = .seconds(300) })
                    .send(.get("https", port: port, "/"))
            }
            #expect(error?.reason == .tls)
            #expect(error?.requestMayHaveBeenProcessed == false)
            #expect(error?.detail == "the server does not speak TLS at this port")
        }
    }

    @Test(arguments: [.pem(Array("nothing".utf8)), .file("/nowhere.pem"), .system.adding(.file("/nowhere.pem"))] as [TrustRoots])
    func `trust roots that cannot be read trust nobody`(roots: TrustRoots) async throws {
        let certificates = try TestCertificates.shared.get()
        let error = try await failure(server: certificates.server, configuration: .with { $0.trustRoots = roots })
        #expect(error?.reason == .tls)
        #expect(error?.requestMayHaveBeenProcessed == false)
        #expect(error?.detail.contains("trust roots") == true)
    }
}
