import Testing

@testable import Countersign

/// JSON of servers.
@Suite struct `JSON of a server` {
    /// JSON that is nested deeper than the limit, between texts that have the byte of a quotation mark in UTF-16.
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

    @Test(arguments: ["1", "[]", "{}", #""a,b""#, "[[[[[[[[]]]]]]]]"])
    func `the number of values is limited, since decoding many takes long`(_ value: String) {
        func list(_ count: Int) -> [UInt8] { Array("[\(Array(repeating: value, count: count).joined(separator: ","))]".utf8) }
        #expect(JSONTree(list(5_000)) != nil)
        #expect(JSONTree(list(50_001)) == nil)
    }

    @Test func `UTF-8 alone is read`() {
        let text = #"{"member":["a"]}"#
        #expect(JSONTree(Array(text.utf8))?["/member/0"]?.text == "a")
        #expect(JSONTree(Self.littleEndian(text)) == nil)
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, false), (#"{"b":{"a":1,"a":1}}"#, false), (#"[{"x":[{"a":1,"a":1}]}]"#, false),
        (#"{"a":1,"\u0061":2}"#, false), (#"{"a":[{"a":1},{"a":2}],"b":{"a":3}}"#, true), (#"{"a":"a","b":["a","a"]}"#, true),
        (#"{"a":{"c":1},"c":2}"#, true),
    ])
    func `an object has each name once, however deep it is`(_ text: String, _ isJSON: Bool) {
        #expect((JSONTree(Array(text.utf8)) != nil) == isJSON)
    }

    @Test func `numbers and truth values have texts, places in lists one form`() throws {
        let tree = try #require(JSONTree(Array(#"{"n":[1,2.5,-3,12345678901234567,true,null,{},18446744073709551615]}"#.utf8)))
        #expect((0...6).map { tree["/n/\($0)"]?.text } == ["1", "2.5", "-3", "12345678901234567", "true", nil, nil])
        // An unsigned number of 64 bits, such as some servers use as an identifier.
        #expect(tree["/n/7"]?.text == "18446744073709551615")
        #expect(tree["/n/01"]?.text == nil)
        #expect(tree["/n/8"]?.text == nil)
        // A number that no type represents makes the text unreadable.
        #expect(JSONTree(Array(#"{"n":[1e999]}"#.utf8)) == nil)
    }

    @Test func `objects are merged member by member, and the later one's other values count`() throws {
        func tree(_ text: String) throws -> JSONTree { try #require(JSONTree(Array(text.utf8))) }
        let first = try tree(#"{"a":{"b":1,"c":[1,2],"é":"\"\\\u0001"},"d":true,"n":null}"#)
        let second = try tree(#"{"a":{"c":[3],"x":{"y":2.5}},"d":{"e":null}}"#)
        #expect(
            first.merged(with: second).json
                == #"{"a":{"b":1,"c":[3],"x":{"y":2.5},"é":"\"\\\u0001"},"d":{"e":null},"n":null}"#)
        #expect(first.merged(with: try tree("{}")).json == first.json)
        #expect(try tree("[1]").merged(with: second).json == second.json)
    }
}
