internal import Foundation
package import NIOCore

/// A connection of a raw server, on which a script reads and writes bytes.
package struct RawConnection {
    package var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    package let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    package let channel: any Channel
    /// The bytes that have been read and not requested yet.
    package var rest = ByteBuffer()

    package func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }
    package func write(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Writes a response with a body, and the fields in front of it, each with an end of line.
    package func respond(_ body: String = "", status: String = "200 OK", fields: String = "") async throws {
        try await write("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Ends the connection with a reset instead of an orderly close.
    package func reset() async throws {
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close().get()
    }
}

extension RawConnection {
    /// Reads up to an empty line, and returns the text before it; `nil` if the connection ends earlier.
    package mutating func readHead() async throws -> String? {
        while true {
            let text = String(buffer: rest)
            if let end = text.firstRange(of: "\r\n\r\n") {
                rest.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
                return String(text[..<end.lowerBound])
            }
            guard try await readMore() else { return nil }
        }
    }

    /// Reads the body of a request with this head, with a length or in chunks, and returns its number of bytes.
    ///
    /// - Throws: An error if the connection ends earlier.
    package mutating func readBody(after head: String) async throws -> Int {
        let fields = head.lowercased().split(separator: "\r\n")
        guard fields.contains("transfer-encoding: chunked") else {
            let name = "content-length: "
            let length = fields.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) } ?? 0
            try await skip(length)
            return length
        }
        var count = 0
        while true {
            let size = try await readLine().flatMap { Int($0, radix: 16) }
            guard let size else { throw EndOfConnection() }
            try await skip(size + 2)
            if size == 0 { return count }
            count += size
        }
    }

    /// Reads exactly the given number of bytes; `nil` if the connection ends earlier.
    package mutating func read(_ count: Int) async throws -> [UInt8]? {
        while rest.readableBytes < count {
            guard try await readMore() else { return nil }
        }
        return rest.readBytes(length: count)
    }

    /// Reads to the end of the connection, and returns the number of bytes.
    @discardableResult
    package mutating func drain() async -> Int {
        var count = rest.readableBytes
        rest.clear()
        while let piece = try? await inbound.next() { count += piece.readableBytes }
        return count
    }

    private mutating func readLine() async throws -> String? {
        while true {
            if let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest.readString(length: end - rest.readerIndex + 1) ?? ""
                return String(line.dropLast(line.hasSuffix("\r\n") ? 1 : 0))
            }
            guard try await readMore() else { return nil }
        }
    }

    private mutating func skip(_ count: Int) async throws {
        var left = count
        while left > 0 {
            if rest.readableBytes == 0 {
                guard try await readMore() else { throw EndOfConnection() }
            }
            let part = min(left, rest.readableBytes)
            rest.moveReaderIndex(forwardBy: part)
            rest.discardReadBytes()
            left -= part
        }
    }

    private mutating func readMore() async throws -> Bool {
        guard var piece = try await inbound.next() else { return false }
        rest.writeBuffer(&piece)
        return true
    }
}

/// The client has closed the connection in the middle of a request.
private struct EndOfConnection: Error {}
