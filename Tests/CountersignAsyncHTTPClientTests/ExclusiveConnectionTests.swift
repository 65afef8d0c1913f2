import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOSSL
import Synchronization
import TestServers
import TestTurns
import Testing

/// Connections that only the requests of one exchange use.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct ExclusiveConnectionTests {
    private func transport() throws -> AsyncHTTPClientTransport {
        let authority = try TestCertificates.shared.get().authority
        return AsyncHTTPClientTransport(
            configuration: .with {
                $0.trustRoots = .pem(authority)
                $0.connectTimeout = .seconds(300)
            })
    }

    /// Runs a server that answers each request with the port from which it comes.
    private func withPorts(overTLS: Bool, _ body: @escaping @Sendable (Int, String) async throws -> Void) async throws {
        let certificates = try TestCertificates.shared.get()
        try await withServer(overTLS ? .http2(certificates.server) : .plain) { router in
            router.get("/") { _, context in "\(context.remotePort ?? 0) \(context.protocolName)" }
        } body: { port in
            try await body(port, overTLS ? "https" : "http")
        }
    }

    @Test(arguments: [false, true])
    func `each has one of its own, over HTTP 1, and knows the certificate that was shown`(overTLS: Bool) async throws {
        try await withPorts(overTLS: overTLS) { port, scheme in
            let transport = try transport()
            let request = SessionRequest.get(scheme, port: port, "/")
            let shared = try await transport.send(request).text()
            var seen: Set<String> = [shared]
            for _ in 0..<3 {
                var own = request
                let connection = ExclusiveConnection()
                own.connection = connection
                #expect(connection.count == 0 && connection.serverCertificate == nil)
                let first = try await transport.send(own).text()
                #expect(first.hasSuffix("http/1.1"))
                for _ in 0..<3 { #expect(try await transport.send(own).text() == first) }
                #expect(connection.count == 1)
                #expect((connection.serverCertificate?.isEmpty == false) == overTLS)
                #expect(seen.insert(first).inserted)
            }
            #expect(try await transport.send(request).text() == shared)
        }
    }

    @Test func `the certificate is the server's`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withPorts(overTLS: true) { port, scheme in
            var request = SessionRequest.get(scheme, port: port, "/")
            let connection = ExclusiveConnection()
            request.connection = connection
            _ = try await transport().send(request).text()
            guard case .certificate(let certificate)? = certificates.server.certificateChain.first else {
                Issue.record("the server has no certificate")
                return
            }
            #expect(try connection.serverCertificate == certificate.toDERBytes())
        }
    }

    @Test func `pins hold for it, too`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withPorts(overTLS: true) { port, scheme in
            var request = try SessionRequest.get(scheme, port: port, "/").pinned(certificates.pin)
            request.connection = ExclusiveConnection()
            _ = try await transport().send(request).text()
            var foreign = try SessionRequest.get(scheme, port: port, "/").pinned(
                "sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=")
            foreign.connection = ExclusiveConnection()
            let error = await #expect(throws: TransportError.self) { _ = try await transport().send(foreign) }
            #expect(error?.reason == .pinMismatch)
        }
    }

    @Test func `a shutdown ends what is under way over it, and nothing is sent after that`() async throws {
        let isRead = Counter()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            isRead.add()
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            var request = SessionRequest.get(port: port, "/")
            request.connection = ExclusiveConnection()
            let answer = Task { [request] in try await transport.send(request).head.status.code }
            while isRead.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
            try await transport.shutdown()
            await #expect(throws: (any Error).self) { _ = try await answer.value }
            var later = SessionRequest.get(port: port, "/")
            later.connection = ExclusiveConnection()
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(later) }
            #expect(error?.reason == .shutDown)
        }
    }
}
