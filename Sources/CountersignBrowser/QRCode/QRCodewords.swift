/// The codewords of a QR code: data in byte mode and error correction, in order of placement (ISO/IEC 18004, sections 7.4 to
/// 7.6).
struct QRCodewords: Sendable {
    /// The data codewords: mode, length, text, terminator and padding.
    let data: [UInt8]
    private let blocks: QRBlocks

    /// - Parameter bytes: The bytes, at most the version's capacity.
    init(_ bytes: [UInt8], version: QRVersion, level: QRCorrectionLevel) {
        blocks = version.blocks(level)
        var bits = QRBits()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version.lengthBits)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        let room = 8 * blocks.data
        bits.append(0, count: min(4, room - bits.count))
        bits.append(0, count: -bits.count & 7)
        let padding = (0..<(blocks.data - bits.bytes.count)).map { $0.isMultiple(of: 2) ? UInt8(0xEC) : 0x11 }
        data = bits.bytes + padding
    }

    /// The data codewords interleaved by block, followed by the error correction codewords in the same way.
    var interleaved: [UInt8] {
        let divisor = ReedSolomon.generator(degree: blocks.correction)
        var parts: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for length in blocks.lengths {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        let corrections = parts.map { ReedSolomon.remainder(of: $0, by: divisor)[...] }
        return Self.interleave(parts) + Self.interleave(corrections)
    }

    private static func interleave(_ parts: [ArraySlice<UInt8>]) -> [UInt8] {
        (0..<(parts.map(\.count).max() ?? 0)).flatMap { index in
            parts.compactMap { part in index < part.count ? part[part.startIndex + index] : nil }
        }
    }
}

/// A sequence of bits, most significant first.
private struct QRBits {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ value: Int, count: Int) {
        for place in (0..<count).reversed() {
            if self.count.isMultiple(of: 8) { bytes.append(0) }
            if value >> place & 1 == 1 { bytes[self.count / 8] |= 0x80 >> UInt8(self.count % 8) }
            self.count += 1
        }
    }
}
