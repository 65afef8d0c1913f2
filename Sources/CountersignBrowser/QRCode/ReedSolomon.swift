/// Reed-Solomon codes over the field of 256 elements whose polynomial is x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, section 7.5.2).
enum ReedSolomon {
    /// The powers of the field's generator 2, and its logarithms.
    private static let (powers, logarithms): ([UInt8], [Int]) = {
        var powers: [UInt8] = []
        var logarithms = [Int](repeating: 0, count: 256)
        var value = 1
        for exponent in 0..<255 {
            powers.append(UInt8(value))
            logarithms[value] = exponent
            value <<= 1
            if value > 255 { value ^= 0x11D }
        }
        return (powers, logarithms)
    }()

    static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        guard left != 0, right != 0 else { return 0 }
        return powers[(logarithms[Int(left)] + logarithms[Int(right)]) % 255]
    }

    /// Returns the product of (x − 2ⁱ) for `i` below the degree: the coefficients in descending order, without the leading 1.
    static func generator(degree: Int) -> [UInt8] {
        var coefficients: [UInt8] = [1]
        for exponent in 0..<degree {
            let root = powers[exponent]
            // Multiplies by (x − root). Subtraction equals addition in this field.
            let shifted = coefficients + [0]
            let scaled = [0] + coefficients.map { multiply($0, root) }
            coefficients = zip(shifted, scaled).map { $0 ^ $1 }
        }
        return Array(coefficients.dropFirst())
    }

    /// Returns the error correction codewords: the remainder of the data, times xⁿ, divided by the generator of degree n.
    static func remainder(of data: some Sequence<UInt8>, by generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for codeword in data {
            let factor = codeword ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= multiply(generator[index], factor) }
        }
        return remainder
    }
}
