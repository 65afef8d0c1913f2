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

/// Pins of servers' keys are checked before a request is written.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct PinTests {
    // RFC 7469, section 2.1.5
    private static let foreign = "sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="

    private func transport(_ change: (inout AsyncHTTPClientTransport.Configuration) -> Void = { _ in }) throws
        -> AsyncHTTPClientTransport
    {
        let authority = try TestCertificates.shared.get().authority
        return AsyncHTTPClientTransport(
            configuration: .with {
                $0.trustRoots = .pem(authority)
                // Many handshakes at once are slow when other tests run in parallel.
                $0.connectTimeout = .seconds(300)
                change(&$0)
            })
    }

    /// TLS 1.3 has messages after the handshake that are not HTTP, so the server counts decrypted bytes.
    @Test(arguments: [false, true])
    func `a server with another key reads no byte of HTTP 1`(isLimitedToTLS12: Bool) async throws {
        var tls = try TestCertificates.shared.get().server
        if isLimitedToTLS12 { tls.maximumTLSVersion = .tlsv12 }
        let (connections, bytes, opened) = (Counter(), Counter(), Counter())
        try await withRawServer(tls: tls) { connection in
            connections.add()
            bytes.add(await connection.drain())
        } body: { port in
            let transport = try transport()
            var request = SessionRequest.get("https", port: port, "/?code=canary")
            request.head.method = .post
            request.body = .restartable { Pieces.zeros(1000, made: opened) }
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request.pinned(Self.foreign)) }
            #expect(error?.reason == .pinMismatch)
            #expect(error?.requestMayHaveBeenProcessed == false)
            #expect(error.map { "\($0)".contains("canary") } == false)
        }
        #expect(connections.value == 1)
        #expect(bytes.value == 0)
        #expect(opened.value == 0)
    }

    @Test func `a server with another key reads nothing of a request over HTTP 2`() async throws {
        var tls = try TestCertificates.shared.get().server
        tls.applicationProtocols = ["h2"]
        let read = Mutex<[UInt8]>([])
        try await withRawServer(tls: tls) { connection in
            try await connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])  // empty settings, without which no client sends a request
            while let byte = try await connection.read(1) { read.withLock { $0 += byte } }
        } body: { port in
            let transport = try transport()
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.send(.get("https", port: port, "/").pinned(Self.foreign))
            }
            #expect(error?.reason == .pinMismatch)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
        let sent = read.withLock { $0 }
        #expect(sent.starts(with: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
        #expect(
            HTTP2Frames.kinds(in: sent.dropFirst(24)).allSatisfy { $0 == HTTP2Frames.settings || $0 == HTTP2Frames.windowUpdate })
    }

    /// Shows that the test above can fail: with the pin, the same server reads the request.
    @Test func `the same server reads the request when the key is pinned`() async throws {
        let certificates = try TestCertificates.shared.get()
        var tls = certificates.server
        tls.applicationProtocols = ["h2"]
        let read = Mutex<[UInt8]>([])
        try await withRawServer(tls: tls) { connection in
            try await connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
            while !HTTP2Frames.kinds(in: read.withLock { $0 }.dropFirst(24)).contains(HTTP2Frames.headers) {
                guard let byte = try await connection.read(1) else { return }
                read.withLock { $0 += byte }
            }
        } body: { port in
            let transport = try transport()
            _ = await #expect(throws: TransportError.self) {
                _ = try await transport.send(.get("https", port: port, "/").pinned(certificates.pin))
            }
        }
        #expect(HTTP2Frames.kinds(in: read.withLock { $0 }.dropFirst(24)).contains(HTTP2Frames.headers))
    }

    @Test(arguments: [false, true])
    func `a server with a pinned key answers, and over few connections`(overHTTP2: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        let ports = Mutex<Set<Int>>([])
        try await withServer(overHTTP2 ? .http2(certificates.server) : .tls(certificates.server)) { router in
            router.get("/") { _, context in
                if let port = context.remotePort { ports.withLock { _ = $0.insert(port) } }
                return context.protocolName
            }
        } body: { port in
            let transport = try transport { $0.maximumConnectionsPerHost = 4 }
            let request = try SessionRequest.get("https", port: port, "/").pinned(Self.foreign, certificates.pin)
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await transport.send(request).text() } }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == [overHTTP2 ? "h2" : "http/1.1": 100])
            // An exchange that takes more than two seconds, on a busy machine, gives its place to another, three times at most.
            #expect((1...16).contains(ports.withLock(\.count)))
        }
    }

    @Test(arguments: [false, true])
    func `connections without pins are not used for a request with them`(overHTTP2: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        let served = Counter()
        try await withServer(overHTTP2 ? .http2(certificates.server) : .tls(certificates.server)) { router in
            router.get("/") { _, _ in
                served.add()
                return "ok"
            }
        } body: { port in
            let transport = try transport()
            let request = SessionRequest.get("https", port: port, "/")
            _ = try await transport.send(request).text()
            _ = try await transport.send(request.pinned(certificates.pin)).text()
            for _ in 0..<10 {
                let error = await #expect(throws: TransportError.self) {
                    _ = try await transport.send(request.pinned(Self.foreign))
                }
                #expect(error?.reason == .pinMismatch)
            }
            // The request uses a new connection, which the server accepts after all earlier ones, so the server can be stopped
            // afterwards.
            _ = try await self.transport().send(request).text()
            #expect(served.value == 3)
        }
    }

    @Test(arguments: [false, true])
    func `pins hold in the tunnel of a proxy`(isPinned: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        let served = Counter()
        try await withServer(.tls(certificates.server)) { router in
            router.get("/") { _, _ in
                served.add()
                return "ok"
            }
        } body: { port in
            try await withRawServer {
                try await serveConnect(&$0, credential: nil, requests: Counter())
            } body: { proxy in
                let transport = try transport { $0.proxy = .http(host: "127.0.0.1", port: proxy) }
                let request = try SessionRequest.get("https", port: port, "/").pinned(isPinned ? certificates.pin : Self.foreign)
                if isPinned {
                    #expect(try await transport.send(request).text() == "ok")
                } else {
                    let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
                    #expect(error?.reason == .pinMismatch)
                }
            }
        }
        #expect(served.value == (isPinned ? 1 : 0))
    }

    @Test func `pins replace no trust`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withServer(.tls(certificates.server)) { router in
            router.get("/") { _, _ in "ok" }
        } body: { port in
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport().send(.get("https", port: port, "/").pinned(certificates.pin))
            }
            #expect(error?.reason == .tls)
        }
    }

    @Test func `a request with pins is not sent over plain HTTP`() async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { port in
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport().send(.get(port: port, "/").pinned(Self.foreign))
            }
            #expect(error?.reason == .pinMismatch)
            #expect(error?.requestMayHaveBeenProcessed == false)
            #expect(error?.detail.contains("http") == true)
        }
        #expect(connections.value == 0)
    }

    @Test func `a redirect does not lead to a server with another key`() async throws {
        let (first, second) = (try TestCertificates.shared.get(), try TestCertificates(authorityName: "Other Authority"))
        let served = Counter()
        try await withServer(.tls(second.server)) { router in
            router.get("/") { _, _ in
                served.add()
                return "ok"
            }
        } body: { port in
            try await withServer(.tls(first.server)) { router in
                router.get("/") { _, _ in Response(status: .found, headers: [.location: "https://localhost:\(port)/"]) }
            } body: { firstPort in
                let transport = AsyncHTTPClientTransport(
                    configuration: .with { $0.trustRoots = .pem(first.authority).adding(.pem(second.authority)) })
                let session = Session(transport: transport)
                let request = SessionRequest.get("https", port: firstPort, "/")
                let both = try await session.send(request.pinned(first.pin, second.pin))
                #expect(try await both.text() == "ok")
                let error = await #expect(throws: TransportError.self) { _ = try await session.send(request.pinned(first.pin)) }
                #expect(error?.reason == .pinMismatch)
                #expect(
                    error?.description
                        == "GET https://localhost:\(port): the server's certificate has none of the pinned keys [transport.pin-mismatch]"
                )
                #expect(served.value == 1)
            }
        }
    }

    @Test func `many sets of pins take turns`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withServer(.tls(certificates.server)) { router in
            router.get("/") { _, _ in "ok" }
        } body: { port in
            let transport = try transport()
            for round in 0..<2 {
                for number in 0..<20 {
                    let other = Data(repeating: UInt8(number), count: 32).base64EncodedString()
                    let request = try SessionRequest.get("https", port: port, "/").pinned(certificates.pin, other)
                    let text = try await transport.send(request).text()
                    #expect(text == "ok", "round \(round), pins \(number)")
                }
            }
        }
    }

    @Test func `a shutdown ends what has pins`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withRawServer(tls: certificates.server) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            let request = try SessionRequest.get("https", port: port, "/").pinned(certificates.pin)
            let response = try await transport.send(request)
            try await transport.shutdown()
            for pins in [certificates.pin, Self.foreign] {
                let late = await #expect(throws: TransportError.self) { _ = try await transport.send(request.pinned(pins)) }
                #expect(late?.reason == .shutDown)
                #expect(late?.requestMayHaveBeenProcessed == false)
            }
            let error = await #expect(throws: TransportError.self) { _ = try await response.text() }
            #expect(error?.reason == .shutDown)
        }
    }

    /// A client that is closed while it still opens connections, which it must not use then.
    @Test(arguments: [false, true])
    func `dropped and shut down transports leave refused connections behind`(overHTTP2: Bool) async throws {
        var tls = try TestCertificates.shared.get().server
        tls.applicationProtocols = [overHTTP2 ? "h2" : "http/1.1"]
        try await withRawServer(tls: tls) { connection in
            if overHTTP2 { try await connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0]) }
            _ = await connection.drain()
        } body: { port in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let transport = try transport()
                        let request = try SessionRequest.get("https", port: port, "/").pinned(Self.foreign)
                        let sends = (0..<3).map { _ in Task { _ = try await transport.send(request) } }
                        if number.isMultiple(of: 2) { try await transport.shutdown() } else { sends[0].cancel() }
                        for send in sends {
                            let result = await send.result
                            #expect(throws: (any Error).self) { try result.get() }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await untilStill(Counter(), rounds: 50)
        }
    }
}

extension SessionRequest {
    func pinned(_ texts: String...) throws -> SessionRequest {
        var request = self
        request.pins = try ServerPins(texts)
        return request
    }
}

/// The part of HTTP/2 framing that is needed to list the types of frames (RFC 9113, section 4.1).
private enum HTTP2Frames {
    static let headers: UInt8 = 1
    static let settings: UInt8 = 4
    static let windowUpdate: UInt8 = 8

    static func kinds(in bytes: some Collection<UInt8>) -> [UInt8] {
        var (rest, kinds) = (ArraySlice(Array(bytes)), [UInt8]())
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            kinds.append(head[3])
            rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        }
        return kinds
    }
}
