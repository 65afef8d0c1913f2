/// How much of a QR code may be damaged: about 7 % with L, 15 % with M (ISO/IEC 18004, section 6.5.1).
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

/// The size of a QR code, and what follows from it.
struct QRVersion: Sendable, Hashable {
    /// 1 to 40.
    let number: Int

    static let all = (1...40).map { QRVersion(number: $0) }

    /// The number of modules in a row.
    var size: Int { 17 + 4 * number }

    /// The bits that the length of a text in byte mode has (table 3).
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The centres of the alignment patterns, as rows and as columns (annex E): even distances, the last of them at the far edge, and
    /// what does not come out even is at the near one.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let gaps = number / 7 + 1
        let length = size - 13
        let even = (length + 2 * gaps - 1) / (2 * gaps) * 2
        // The standard's table has 26 for this version, for which the others' rule would give 28.
        let step = number == 32 ? 26 : even
        return [6] + (0..<gaps).reversed().map { size - 7 - $0 * step }
    }

    /// The codewords, data and error correction together: what the function patterns leave, in whole bytes (table 1).
    var codewords: Int {
        let finders = 3 * 64
        let timing = 2 * (size - 16)
        let format = 2 * 15 + 1
        let information = number < 7 ? 0 : 36
        let centres = alignmentCentres.count
        // Three places have a finder pattern instead, and those on the timing patterns share five modules with them.
        let alignment = centres == 0 ? 0 : (centres * centres - 3) * 25 - 2 * (centres - 2) * 5
        return (size * size - finders - timing - format - information - alignment) / 8
    }

    /// The blocks that the codewords are parted into (table 9).
    func blocks(_ level: QRCorrectionLevel) -> QRBlocks {
        let (counts, corrections) =
            switch level {
            case .low: (Self.lowBlocks, Self.lowCorrection)
            case .medium: (Self.mediumBlocks, Self.mediumCorrection)
            }
        return QRBlocks(count: counts[number - 1], correction: corrections[number - 1], codewords: codewords)
    }

    /// The most bytes that a text may have.
    func capacity(_ level: QRCorrectionLevel) -> Int {
        let blocks = blocks(level)
        return (8 * blocks.data - 4 - lengthBits) / 8
    }

    // Table 9, by version: how many blocks there are, and how many codewords of error correction each has.
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

/// How codewords are parted into blocks: the later ones have one codeword of data more if it does not come out even.
struct QRBlocks: Sendable, Hashable {
    let count: Int
    /// The codewords of error correction in each block.
    let correction: Int
    /// All codewords of the code.
    let codewords: Int

    /// The codewords of data in all blocks.
    var data: Int { codewords - count * correction }

    /// The codewords of data in each block.
    var lengths: [Int] {
        let (short, longer) = data.quotientAndRemainder(dividingBy: count)
        return (0..<count).map { $0 < count - longer ? short : short + 1 }
    }
}
