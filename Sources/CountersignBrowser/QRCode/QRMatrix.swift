/// The modules of a QR code: the function patterns of its version, and the masked codewords.
struct QRMatrix: Sendable {
    let size: Int
    private var isDark: [Bool]
    /// Whether a module belongs to a function pattern, and so has neither codewords nor a mask.
    private var isReserved: [Bool]

    /// The masks: whether each inverts a module (ISO/IEC 18004, table 10).
    static let masks: [@Sendable (_ row: Int, _ column: Int) -> Bool] = [
        { row, column in (row + column) % 2 == 0 },
        { row, _ in row % 2 == 0 },
        { _, column in column % 3 == 0 },
        { row, column in (row + column) % 3 == 0 },
        { row, column in (row / 2 + column / 3) % 2 == 0 },
        { row, column in row * column % 2 + row * column % 3 == 0 },
        { row, column in (row * column % 2 + row * column % 3) % 2 == 0 },
        { row, column in ((row + column) % 2 + row * column % 3) % 2 == 0 },
    ]

    /// Creates the function patterns, with space for the format information.
    init(version: QRVersion) {
        size = version.size
        isDark = Array(repeating: false, count: size * size)
        isReserved = Array(repeating: false, count: size * size)
        placeTiming()
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { placeFinder(row, column) }
        for row in version.alignmentCentres {
            for column in version.alignmentCentres where !isOnFinder(row, column) {
                placeRings(row, column, radius: 2) { $0 != 1 }
            }
        }
        place(format: 0)
        if version.number >= 7 { place(version: Self.versionInformation(version.number)) }
    }

    /// Whether a module is dark.
    subscript(row: Int, column: Int) -> Bool { isDark[row * size + column] }

    /// Returns the matrix with a mask applied to the codewords, and with its format information.
    func masked(_ mask: Int, level: QRCorrectionLevel) -> QRMatrix {
        var matrix = self
        let inverts = Self.masks[mask]
        for row in 0..<size {
            for column in 0..<size where !isReserved[row * size + column] && inverts(row, column) {
                matrix.isDark[row * size + column].toggle()
            }
        }
        matrix.place(format: Self.formatInformation(level, mask: mask))
        return matrix
    }

    // MARK: Codewords

    /// Places codewords in pairs of columns from the right, alternately upwards and downwards (section 7.7.3). Remaining modules
    /// are light.
    mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        // The column of the timing pattern is skipped.
        for right in stride(from: size - 1, to: 0, by: -2).map({ $0 > 6 ? $0 : $0 - 1 }) {
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isReserved[row * size + column] && bit < 8 * codewords.count {
                    isDark[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }

    // MARK: Patterns

    private mutating func set(_ row: Int, _ column: Int, _ value: Bool) {
        isDark[row * size + column] = value
        isReserved[row * size + column] = true
    }

    /// Places concentric squares around a centre, clipped to the matrix.
    private mutating func placeRings(_ row: Int, _ column: Int, radius: Int, isDark: (_ distance: Int) -> Bool) {
        for down in -radius...radius {
            for right in -radius...radius
            where (0..<size).contains(row + down) && (0..<size).contains(column + right) {
                set(row + down, column + right, isDark(max(abs(down), abs(right))))
            }
        }
    }

    /// Places a finder pattern with its light separator.
    private mutating func placeFinder(_ row: Int, _ column: Int) {
        placeRings(row, column, radius: 4) { $0 != 2 && $0 != 4 }
    }

    private func isOnFinder(_ row: Int, _ column: Int) -> Bool {
        (row < 9 && column < 9) || (row < 9 && column > size - 10) || (row > size - 10 && column < 9)
    }

    private mutating func placeTiming() {
        for place in 0..<size {
            set(6, place, place.isMultiple(of: 2))
            set(place, 6, place.isMultiple(of: 2))
        }
    }

    /// Places the two copies of the format information, and the module that is always dark (section 7.9.1).
    private mutating func place(format: Int) {
        for bit in 0..<15 {
            let value = format >> bit & 1 == 1
            switch bit {
            case 0...5: set(bit, 8, value)
            case 6: set(7, 8, value)
            case 7: set(8, 8, value)
            case 8: set(8, 7, value)
            default: set(8, 14 - bit, value)
            }
            if bit < 8 { set(8, size - 1 - bit, value) } else { set(size - 15 + bit, 8, value) }
        }
        set(size - 8, 8, true)
    }

    /// Places the two copies of the version information (section 7.10).
    private mutating func place(version: Int) {
        for bit in 0..<18 {
            let value = version >> bit & 1 == 1
            set(bit / 3, size - 11 + bit % 3, value)
            set(size - 11 + bit % 3, bit / 3, value)
        }
    }

    /// Returns the format information: level and mask, followed by ten bits of a BCH code, with a fixed mask applied (annex C).
    static func formatInformation(_ level: QRCorrectionLevel, mask: Int) -> Int {
        let data = level.indicator << 3 | mask
        return (data << 10 | remainder(of: data << 10, by: 0b101_0011_0111)) ^ 0b101_0100_0001_0010
    }

    /// Returns the version information: the version number, followed by twelve bits of a BCH code (annex D).
    static func versionInformation(_ number: Int) -> Int {
        number << 12 | remainder(of: number << 12, by: 0b1_1111_0010_0101)
    }

    /// Returns the remainder of a division of polynomials over the field of two elements.
    private static func remainder(of value: Int, by divisor: Int) -> Int {
        var rest = value
        while rest >= 1 << (Int.bitWidth - 1 - divisor.leadingZeroBitCount) {
            rest ^= divisor << (divisor.leadingZeroBitCount - rest.leadingZeroBitCount)
        }
        return rest
    }
}
