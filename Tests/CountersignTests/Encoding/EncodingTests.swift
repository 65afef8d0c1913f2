import Countersign
import Testing

@Suite struct `Encodings of bytes` {
    private static let every = Array(UInt8.min...UInt8.max)

    // RFC 4648, section 10.
    @Test func `RFC 4648 section 10, Base16`() {
        #expect(Hexadecimal.text("foobar".utf8) == "666f6f626172")
        #expect(Hexadecimal.bytes("666F6f626172") == Array("foobar".utf8))
        #expect(Hexadecimal.bytes(Hexadecimal.text(Self.every)) == Self.every)
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test(arguments: ["0", "0g", "+1", " 1", "0x10", "\u{FF10}0", "123"])
    func `a text that is not pairs of digits has no bytes`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    // RFC 7515, appendix C.
    @Test func `RFC 7515 appendix C`() {
        #expect(Base64URL.text([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.bytes("A-z_4ME") == [3, 236, 255, 224, 193])
        #expect(Base64URL.bytes(Base64URL.text(Self.every)[...]) == Self.every)
    }

    @Test(arguments: ["A+z/4ME", "A-z_4ME=", "A-z_ 4ME", "A-z!4ME"])
    func `other Base64 is not Base64url`(text: String) {
        #expect(Base64URL.bytes(text[...]) == nil)
    }

    @Test(arguments: ["A+z/4ME=", "A-z_4ME=", "A-z/4ME", "A-z_4ME"])
    func `either alphabet is decoded, with and without padding`(text: String) {
        #expect(Base64URL.lenientBytes(text) == [3, 236, 255, 224, 193])
        #expect(Base64URL.lenientBytes("A-z!4ME") == nil)
        #expect(Base64URL.lenientBytes("==") == [])
    }

    // RFC 3986, section 2.3.
    @Test func `only unreserved characters and the given ones are not escaped`() {
        let plain = PercentEncoding.encode(Self.every).replacing(/%[0-9A-F]{2}/, with: "")
        #expect(plain == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
        #expect(PercentEncoding.encode("/ü*".utf8) == "%2F%C3%BC%2A")
        #expect(PercentEncoding.encode("/ü*".utf8, keeping: "*/") == "/%C3%BC*")
    }
}
