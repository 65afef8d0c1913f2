#if os(macOS) || os(Linux)
import NIOCore
import NIOEmbedded
import TestTurns
import Testing

@testable import CountersignBrowser

/// Messages of DevTools over a pipe: each ends with a zero byte.
@Suite(.takesTurns) struct `Messages of DevTools` {
    private func messages(_ parts: [String], limit: Int = 100) throws -> [String] {
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(MessageDecoder(limit: limit)))
        defer { _ = try? channel.finish() }
        for part in parts { try channel.writeInbound(ByteBuffer(string: part)) }
        var messages: [String] = []
        while let message = try channel.readInbound(as: ByteBuffer.self) { messages.append(String(buffer: message)) }
        return messages
    }

    @Test func `messages are parted at their ends, wherever the bytes are parted`() throws {
        #expect(try messages(["{}\0[1]\0"]) == ["{}", "[1]"])
        #expect(try messages(["{", "}", "\0[", "1]\0{"]) == ["{}", "[1]"])
        #expect(try messages(["\0\0a\0"]) == ["", "", "a"])
        #expect(try messages(["no end"]) == [])
        let all = "first\0second, which is longer\0third\0"
        #expect(try messages(all.map { String($0) }) == ["first", "second, which is longer", "third"])
    }

    @Test func `a message is as long as the limit at most, with its end or without`() throws {
        #expect(try messages(["12345\0"], limit: 5) == ["12345"])
        #expect(throws: ChromiumError.messageTooLong(limit: 5)) { try messages(["123456\0"], limit: 5) }
        #expect(throws: ChromiumError.messageTooLong(limit: 5)) { try messages(["123", "456"], limit: 5) }
        #expect(throws: ChromiumError.messageTooLong(limit: 5)) { try messages(["1\0", "123456"], limit: 5) }
    }
}
#endif
