import TestTurns
import Testing

@testable import CountersignIdentity

/// JSON of an enrollment server.
@Suite(.takesTurns) struct `JSON of a server` {
    /// Nested deeper than the limit, between texts that have a quotation mark's byte in UTF-16.
    private static let bomb =
        "[\"\u{2200}\"," + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + ",\"\u{2200}\"]"

    private static func littleEndian(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func bigEndian(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    @Test(arguments: [littleEndian(bomb), bigEndian(bomb), [0xFF, 0xFE] + littleEndian(bomb), Array(bomb.utf8)])
    func `L5 nesting is limited in every encoding that the decoder would read`(_ bytes: [UInt8]) {
        #expect(JSONTree(bytes) == nil)
    }

    @Test func `UTF-8 alone is read`() {
        let text = #"{"member":["a"]}"#
        #expect(JSONTree(Array(text.utf8))?["/member/0"]?.text == "a")
        #expect(JSONTree(Self.littleEndian(text)) == nil)
    }
}
