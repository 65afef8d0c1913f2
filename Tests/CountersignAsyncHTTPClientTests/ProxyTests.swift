import Countersign
import Hummingbird
import TestServers
import TestTurns
import Testing

@testable import CountersignAsyncHTTPClient

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct ProxyTests {
    private func withProxy(
        tls: Bool = false, serve: @escaping @Sendable (inout RawConnection, Counter) async throws -> Void,
        proxy: @escaping @Sendable (Int) -> AsyncHTTPClientTransport.Proxy,
        expect: @escaping @Sendable (Result<String, TransportError>, _ asked: Int) -> Void
    ) async throws {
        let certificates = try TestCertificates.shared.get()
        let asked = Counter()
        try await withServer(tls ? .http2(certificates.server) : .plain) { router in
            router.get("/") { _, context in context.protocolName }
        } body: { port in
            try await withRawServer {
                try await serve(&$0, asked)
            } body: { proxyPort in
                let transport = AsyncHTTPClientTransport(
                    configuration: .with {
                        $0.proxy = proxy(proxyPort)
                        $0.trustRoots = .pem(certificates.authority)
                        $0.connectTimeout = .seconds(300)
                    })
                do {
                    expect(.success(try await transport.send(.get(tls ? "https" : "http", port: port, "/")).text()), asked.value)
                } catch let error as TransportError {
                    expect(.failure(error), asked.value)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `requests go through a proxy`(tls: Bool) async throws {
        try await withProxy(tls: tls) {
            try await serveConnect(&$0, credential: nil, requests: $1)
        } proxy: {
            .http(host: "127.0.0.1", port: $0)
        } expect: { answer, asked in
            #expect(answer == .success(tls ? "h2" : "http/1.1"))
            #expect(asked == 1)
        }
    }

    @Test(arguments: [
        (false, ["127.0.0.1", "LOCALHOST"], 0), (true, ["127.0.0.1", "LOCALHOST"], 0), (false, ["0.0.1", "calhost", "example"], 1),
        (false, ["[127.0.0.1]", "*.localhost"], 0),
    ])
    func `an exception is reached without the proxy`(tls: Bool, _ exceptions: [String], connections: Int) async throws {
        try await withProxy(tls: tls) {
            try await serveConnect(&$0, credential: nil, requests: $1)
        } proxy: {
            var proxy = AsyncHTTPClientTransport.Proxy.http(host: "127.0.0.1", port: $0)
            proxy.exceptions = Set(exceptions)
            return proxy
        } expect: { answer, asked in
            #expect(answer == .success(tls ? "h2" : "http/1.1"))
            #expect(asked == connections)
        }
    }

    @Test(arguments: [
        ("db.cluster1", "cluster1", true), ("a2.example", "example", true), ("10.0.0.1", "0.0.1", false), ("10.0.0.1", "1", false),
        ("mycluster1", "cluster1", false), ("::1", "1", false),
    ])
    func `an exception stands for all names below it, but not for addresses`(host: String, exception: String, isOne: Bool) {
        var proxy = AsyncHTTPClientTransport.Proxy.socks(host: "127.0.0.1")
        proxy.exceptions = [exception]
        #expect(proxy.isException(host) == isOne)
    }

    @Test func `a credential opens a proxy that asks for one`() async throws {
        try await withProxy {
            try await serveConnect(&$0, credential: "user:päss:word", requests: $1)
        } proxy: {
            .http(host: "127.0.0.1", port: $0, username: "user", password: "päss:word")
        } expect: { answer, _ in
            #expect(answer == .success("http/1.1"))
        }
    }

    @Test(arguments: [nil, "canary"])
    func `a proxy that refuses the credential is an error with its status`(password: String?) async throws {
        try await withProxy {
            try await serveConnect(&$0, credential: "user:right", requests: $1)
        } proxy: { port in
            password.map { .http(host: "127.0.0.1", port: port, username: "user", password: $0) }
                ?? .http(host: "127.0.0.1", port: port)
        } expect: { answer, asked in
            guard case .failure(let error) = answer else {
                Issue.record("the proxy should have refused")
                return
            }
            #expect(error.reason == .proxy(status: 407))
            #expect(!error.requestMayHaveBeenProcessed)
            #expect(!"\(error)".contains("canary"))
            #expect(error.detail.contains("HTTP proxy 127.0.0.1:"), "it names the proxy")
            #expect(asked == 1)
        }
    }

    @Test func `a proxy that refuses for another reason is an error`() async throws {
        try await withProxy { connection, _ in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
        } proxy: {
            .http(host: "127.0.0.1", port: $0)
        } expect: { answer, _ in
            #expect(throws: TransportError.self) { try answer.get() }
            if case .failure(let error) = answer { #expect(error.reason == .proxy(status: nil)) }
        }
    }

    @Test(arguments: [false, true])
    func `requests go through a SOCKS proxy`(tls: Bool) async throws {
        try await withProxy(tls: tls) {
            try await serveSOCKS(&$0, requests: $1)
        } proxy: {
            .socks(host: "127.0.0.1", port: $0)
        } expect: { answer, asked in
            #expect(answer == .success(tls ? "h2" : "http/1.1"))
            #expect(asked == 1)
        }
    }

    @Test func `a SOCKS proxy that refuses is an error`() async throws {
        try await withProxy { connection, _ in
            _ = try await connection.read(2)
            try await connection.write([5, 0xff])
            _ = await connection.drain()
        } proxy: {
            .socks(host: "127.0.0.1", port: $0)
        } expect: { answer, _ in
            #expect(throws: TransportError.self) { try answer.get() }
            if case .failure(let error) = answer { #expect(error.reason == .proxy(status: nil)) }
        }
    }

    @Test func `a proxy's credential is never shown`() {
        let proxy = AsyncHTTPClientTransport.Proxy.http(host: "proxy", port: 1, username: "canary", password: "canary")
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.proxy = proxy
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), "\(configuration)", dumped] {
            #expect(!text.contains("canary"))
        }
    }
}
