extension [UInt8] {
    init(hexadecimal text: String) {
        let digits = Array<Character>(text)
        self = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<($0 + 2)]), radix: 16) }
    }

    var hexadecimal: String { map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}
