import TestServers

/// The frames of a response on the first stream (RFC 9113, section 6).
enum HTTP2Response {
    static let resetKind: UInt8 = 3

    /// Returns a `HEADERS` frame with a literal field (RFC 7541, section 6.2.3) of at most 126 bytes.
    static func head(status: String, endsStream: Bool = false, stream: UInt8 = 1) -> [UInt8] {
        let name = ":status"
        let block = [0x10, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(status.utf8.count)] + Array(status.utf8)
        return [0, 0, UInt8(block.count), 1, endsStream ? 5 : 4, 0, 0, 0, stream] + block
    }

    /// Returns a `DATA` frame.
    static func part(_ text: String, endsStream: Bool = false, stream: UInt8 = 1) -> [UInt8] {
        [0, 0, UInt8(text.utf8.count), 0, endsStream ? 1 : 0, 0, 0, 0, stream] + Array(text.utf8)
    }

    /// Returns a `DATA` frame that ends the stream.
    static func end(of text: String, stream: UInt8 = 1) -> [UInt8] { part(text, endsStream: true, stream: stream) }

    /// A `RST_STREAM` frame with `NO_ERROR`, which asks the client to end its request.
    static let reset: [UInt8] = [0, 0, 4, resetKind, 0, 0, 0, 0, 1, 0, 0, 0, 0]
}

extension RawConnection {
    /// Sends the server's settings, and reads up to the first `HEADERS` frame.
    ///
    /// - Returns: `false` if the connection ends earlier.
    mutating func readHTTP2Request() async throws -> Bool {
        // Empty settings, without which no client sends a request.
        try await write([0, 0, 0, 4, 0, 0, 0, 0, 0])
        guard try await read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count) != nil else { return false }
        return try await readHTTP2Head()
    }

    /// Reads up to the next `HEADERS` frame, for which `HTTP2Response` needs the number of its stream.
    ///
    /// - Parameters:
    ///   - answers: Whether each `PING` is answered.
    ///   - pings: The number of `PING` frames.
    /// - Returns: `false` if the connection ends earlier.
    mutating func readHTTP2Head(answers: Bool = true, pings: Counter = Counter()) async throws -> Bool {
        while let (kind, payload) = try await readHTTP2() {
            if kind == 1 { return true }
            guard kind == 6 else { continue }
            pings.add()
            if answers { try await write([0, 0, 8, 6, 1, 0, 0, 0, 0] + payload) }
        }
        return false
    }

    /// Reads a frame, and returns its type; `nil` if the connection ends earlier.
    mutating func readHTTP2Frame() async throws -> UInt8? { try await readHTTP2()?.kind }

    private mutating func readHTTP2() async throws -> (kind: UInt8, payload: [UInt8])? {
        guard let head = try await read(9) else { return nil }
        guard let payload = try await read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) else { return nil }
        return (head[3], payload)
    }
}
