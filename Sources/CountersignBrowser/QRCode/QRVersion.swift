/// The error correction level, which determines how much of a QR code may be damaged: about 7 % with L, 15 % with M (ISO/IEC
/// 18004, section 6.5.1).
enum QRCorrectionLevel: Sendable, Hashable, CaseIterable {
    case low
    case medium

    /// The indicator in the format information (table 12).
    var indicator: Int {
        switch self {
        case .low: 0b01
        case .medium: 0b00
        }
    }
}

/// The version of a QR code, which determines its size and capacity.
struct QRVersion: Sendable, Hashable {
    /// The number of the version, from 1 to 40.
    let number: Int

    static let all = (1...40).map { QRVersion(number: $0) }

    /// The number of modules in a row.
    var size: Int { 17 + 4 * number }

    /// The number of bits of the length field in byte mode (table 3).
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The row and column coordinates of the alignment patterns (annex E). They are evenly spaced from the far edge, so that only
    /// the first distance may differ.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let gaps = number / 7 + 1
        let length = size - 13
        let even = (length + 2 * gaps - 1) / (2 * gaps) * 2
        // For this version the standard's table has 26, where the rule would yield 28.
        let step = number == 32 ? 26 : even
        return [6] + (0..<gaps).reversed().map { size - 7 - $0 * step }
    }

    /// The number of all codewords, which fill the modules outside of the function patterns in whole bytes (table 1).
    var codewords: Int {
        let finders = 3 * 64
        let timing = 2 * (size - 16)
        let format = 2 * 15 + 1
        let information = number < 7 ? 0 : 36
        let centres = alignmentCentres.count
        // Three positions have a finder pattern instead, and alignment patterns on the timing patterns share five modules with
        // these.
        let alignment = centres == 0 ? 0 : (centres * centres - 3) * 25 - 2 * (centres - 2) * 5
        return (size * size - finders - timing - format - information - alignment) / 8
    }

    /// Returns the blocks into which the codewords are divided (table 9).
    func blocks(_ level: QRCorrectionLevel) -> QRBlocks {
        let (counts, corrections) =
            switch level {
            case .low: (Self.lowBlocks, Self.lowCorrection)
            case .medium: (Self.mediumBlocks, Self.mediumCorrection)
            }
        return QRBlocks(count: counts[number - 1], correction: corrections[number - 1], codewords: codewords)
    }

    /// Returns the maximum number of bytes.
    func capacity(_ level: QRCorrectionLevel) -> Int {
        let blocks = blocks(level)
        return (8 * blocks.data - 4 - lengthBits) / 8
    }

    // Table 9, by version: the number of blocks, and the number of error correction codewords in each.
    private static let lowBlocks = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21,
        22,
        24, 25,
    ]
    private static let lowCorrection = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30,
        30,
        30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let mediumBlocks = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37,
        38,
        40, 43, 45, 47, 49,
    ]
    private static let mediumCorrection = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        28,
        28, 28, 28, 28, 28, 28, 28, 28,
    ]
}

/// The division of codewords into blocks. If it is uneven, the later blocks have one more data codeword.
struct QRBlocks: Sendable, Hashable {
    let count: Int
    /// The number of error correction codewords in each block.
    let correction: Int
    /// The number of all codewords.
    let codewords: Int

    /// The number of data codewords in all blocks.
    var data: Int { codewords - count * correction }

    /// The numbers of data codewords in each block.
    var lengths: [Int] {
        let (short, longer) = data.quotientAndRemainder(dividingBy: count)
        return (0..<count).map { $0 < count - longer ? short : short + 1 }
    }
}
