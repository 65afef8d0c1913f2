internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The key derivation of PKCS #12 (RFC 7292, appendix B.2), for its MAC and its old ciphers.
struct PKCS12KeyDerivation {
    /// The purpose of the key (appendix B.3). For each purpose, the same password and salt yield different keys.
    enum Purpose: UInt8 {
        case encryption = 1
        case initializationVector = 2
        case authentication = 3
    }

    let purpose: Purpose
    let password: [UInt8]
    let salt: [UInt8]
    let iterations: Int
    let byteCount: Int

    func key<Hash: HashFunction>(with: Hash.Type) -> [UInt8] {
        let block = Hash.blockByteCount
        let diversifier = [UInt8](repeating: purpose.rawValue, count: block)
        var input = Self.fill(salt, toMultipleOf: block) + Self.fill(password, toMultipleOf: block)
        var output: [UInt8] = []
        while output.count < byteCount {
            var digest = Hash()
            digest.update(data: diversifier)
            digest.update(data: input)
            var result = digest.finalize()
            for _ in 1..<max(iterations, 1) {
                var again = Hash()
                result.withUnsafeBytes { again.update(bufferPointer: $0) }
                result = again.finalize()
            }
            output += result
            let addend = Array(Self.fill(Array(result), toMultipleOf: block).prefix(block))
            for start in stride(from: 0, to: input.count, by: block) { Self.add(addend, andOneTo: &input, at: start) }
        }
        return Array(output.prefix(byteCount))
    }

    /// Repeats bytes to fill whole blocks. An empty input remains empty.
    private static func fill(_ bytes: [UInt8], toMultipleOf block: Int) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let count = (bytes.count + block - 1) / block * block
        return (0..<count).map { bytes[$0 % bytes.count] }
    }

    /// Adds a big-endian number of a block's length, and one, to a block of the input, modulo the block's range.
    private static func add(_ addend: [UInt8], andOneTo input: inout [UInt8], at start: Int) {
        var carry: UInt16 = 1
        for index in addend.indices.reversed() {
            let sum = UInt16(input[start + index]) + UInt16(addend[index]) + carry
            input[start + index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
    }
}
