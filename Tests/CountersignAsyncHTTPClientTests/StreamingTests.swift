import Countersign
import CountersignAsyncHTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import TestServers
import TestTurns
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct StreamingTests {
    /// The size of a body: twice what the receive buffer of a client holds at most on a usual Linux.
    static let size = 64 << 20
    /// The number of bytes that an upload may be ahead of a server that does not read: the buffers of two sockets, and some
    /// chunks.
    static let uploadBound = 12 << 20
    /// The number of bytes that a server may be ahead of a client that does not read. The client's socket alone takes up to 32
    /// MiB.
    static let downloadBound = 48 << 20

    @Test(arguments: [nil, size])
    func `an upload waits for a server that does not read`(length: Int?) async throws {
        let made = Counter()
        let mayRead = Signal()
        try await withRawServer { connection in
            let head = try await connection.readHead() ?? ""
            await mayRead.wait()
            let isChunked = head.lowercased().contains("transfer-encoding: chunked")
            var count = 0
            var overhead = 0
            if isChunked {
                // 1,024 chunks of 64 KiB, each with a line before and an end of line after, and the last chunk.
                overhead = 1024 * ("10000\r\n".count + 2) + "0\r\n\r\n".count
            }
            while count < Self.size + overhead {
                if connection.rest.readableBytes > 0 {
                    count += connection.rest.readableBytes
                    connection.rest.clear()
                } else if let piece = try await connection.inbound.next() {
                    count += piece.readableBytes
                } else {
                    break
                }
            }
            try await connection.write("HTTP/1.1 200 OK\r\nx-chunked: \(isChunked)\r\ncontent-length: 2\r\n\r\nok")
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            let body = Countersign.RequestBody.restartable(length: length) { Pieces.zeros(Self.size, made: made) }
            async let sent = transport.send(.post(port: port, "/", body: body))
            while made.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await untilStill(made)
            #expect(made.value < Self.uploadBound)
            mayRead.fire()
            let response = try await sent
            #expect(response.head.headerFields[try #require(HTTPField.Name("x-chunked"))] == "\(length == nil)")
            #expect(try await response.text() == "ok")
            #expect(made.value == Self.size)
        }
    }

    @Test func `a server waits for a reader that does not read`() async throws {
        let written = Counter()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: \(Self.size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 65_536)
            for _ in 0..<(Self.size / piece.count) {
                try await connection.write(piece)
                // The server's own event loop may lag behind, so bytes count only when they have been written.
                try await connection.channel.eventLoop.submit {}.get()
                written.add(piece.count)
            }
            _ = await connection.drain()
        } body: { port in
            let response = try await AsyncHTTPClientTransport().send(.get(port: port, "/"))
            var iterator = response.body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            try await untilStill(written)
            #expect(written.value < Self.downloadBound)
            while let piece = try await iterator.next() { count += piece.count }
            #expect(count == Self.size)
        }
    }

    @Test func `a restartable body is opened anew for each send`() async throws {
        let opened = Counter()
        try await withServer { router in
            router.post("/") { request, _ in "\(try await request.body.collect(upTo: 1 << 20).readableBytes)" }
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            let request = SessionRequest.post(
                port: port, "/",
                body: .restartable {
                    opened.add()
                    return Pieces.zeros(100_000)
                })
            for _ in 0..<2 {
                let answer = try await transport.send(request).text()
                #expect(answer == "100000")
            }
            #expect(opened.value == 2)
        }
    }

    @Test func `an error of the stream reaches the caller and the server gets no complete request`() async throws {
        struct Broken: Error {}
        let seen = Counter()
        let closed = Signal()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            seen.add(await connection.drain())
            closed.fire()
        } body: { port in
            let body = Countersign.RequestBody.once(
                Pieces { index in
                    if index == 1 { throw Broken() }
                    return [1, 2, 3]
                })
            await #expect(throws: Broken.self) { _ = try await AsyncHTTPClientTransport().send(.post(port: port, "/", body: body)) }
            await closed.wait()
            // One chunk of three bytes, with the lines around it.
            #expect(seen.value == 8)
        }
    }

    @Test func `a stream of another length than announced is an error`() async throws {
        try await withRawServer { connection in
            _ = await connection.drain()
        } body: { port in
            let body = Countersign.RequestBody.once(length: 10, Pieces.zeros(9))
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport().send(.post(port: port, "/", body: body))
            }
            #expect(error?.reason == .other)
        }
    }

    /// Fires a signal when it is deinitialised.
    private final class Token: Sendable {
        let gone: Signal
        init(gone: Signal) { self.gone = gone }
        deinit { gone.fire() }
    }

    @Test(arguments: ["401 Unauthorized", "200 OK"])
    func `RT-43 a challenge to an upload that waits for the server releases the stream`(status: String) async throws {
        let gone = Signal()
        let made = Counter()
        let mayAnswer = Signal()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            await mayAnswer.wait()
            try await connection.write("HTTP/1.1 \(status)\r\ncontent-length: 9\r\n\r\nchallenge")
            _ = await connection.drain()
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            try await Self.challengedUpload(transport, port: port, gone: gone, made: made, mayAnswer: mayAnswer)
            await gone.wait()
            let answer = try await transport.send(.get(port: port, "/")).text()
            #expect(answer == "challenge")
        }
    }

    private static func challengedUpload(
        _ transport: AsyncHTTPClientTransport, port: Int, gone: Signal, made: Counter, mayAnswer: Signal
    ) async throws {
        let token = Token(gone: gone)
        // The stream is endless, so it ends only when the client abandons it.
        let stream = Pieces { _ in
            withExtendedLifetime(token) { _ = made.add(65_536) }
            return [UInt8](repeating: 0, count: 65_536)
        }
        async let sent = transport.send(.post(port: port, "/", body: .once(stream)))
        try await untilStill(made)
        mayAnswer.fire()
        let answer = try await sent.text()
        #expect(answer == "challenge")
    }

    @Test(arguments: ["401 Unauthorized", "200 OK"])
    func `RT-43 a challenge during an upload ends the upload and the next request is sound`(status: String) async throws {
        let gone = Signal()
        let connections = Counter()
        try await withRawServer { connection in
            let isFirst = connections.add() == 1
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 \(status)\r\nx-challenge: yes\r\ncontent-length: 9\r\n\r\nchallenge")
            if isFirst { _ = await connection.drain() }
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            let response = try await transport.send(.post(port: port, "/", body: .once(Self.stalledStream(gone: gone))))
            #expect(response.head.headerFields[try #require(HTTPField.Name("x-challenge"))] == "yes")
            #expect(try await response.text() == "challenge")
            await gone.wait()
            let second = try await transport.send(.get(port: port, "/"))
            #expect(try await second.text() == "challenge")
            #expect(connections.value == 2)
        }
    }

    /// Makes a stream that stalls after one chunk.
    ///
    /// An early response may end it at any time: before it is opened, before its first chunk is taken, or while it waits.
    private static func stalledStream(gone: Signal) -> some ByteStream {
        let token = Token(gone: gone)
        return Pieces { index in
            if index == 0 { return [1] }
            try await Task.sleep(for: .seconds(3_600))
            withExtendedLifetime(token) {}
            return nil
        }
    }
}
