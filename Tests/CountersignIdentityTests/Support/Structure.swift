import Countersign

@testable import CountersignIdentity

/// The parts of archives, for archives that no program writes.
enum Structure {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag] + (content.count < 128 ? [UInt8(content.count)] : [0x80 | UInt8(length.count)] + length) + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap(\.self)) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func tagged(_ bytes: [UInt8]) -> [UInt8] { element(0xA0, bytes) }
    static func integer(_ value: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8(truncatingIfNeeded: value)], value >> 8)
        // As short as possible, with the sign in the top bit.
        while rest != (bytes[0] & 0x80 == 0 ? 0 : -1) {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return element(0x02, bytes)
    }

    private static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
    static let data = element(0x06, pkcs + [0x07, 0x01])
    static let encryptedData = element(0x06, pkcs + [0x07, 0x06])
    static let envelopedData = element(0x06, pkcs + [0x07, 0x03])
    static let keyBag = element(0x06, pkcs + [0x0C, 0x0A, 0x01, 0x01])
    static let shroudedKeyBag = element(0x06, pkcs + [0x0C, 0x0A, 0x01, 0x02])
    static let certificateBag = element(0x06, pkcs + [0x0C, 0x0A, 0x01, 0x03])
    static let secretBag = element(0x06, pkcs + [0x0C, 0x0A, 0x01, 0x05])
    static let safeContentsBag = element(0x06, pkcs + [0x0C, 0x0A, 0x01, 0x06])
    static let x509 = element(0x06, pkcs + [0x09, 0x16, 0x01])
    static let sha1TripleDES = element(0x06, pkcs + [0x0C, 0x01, 0x03])
    static let rc4 = element(0x06, pkcs + [0x0C, 0x01, 0x01])

    static func bag(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] { sequence(type, tagged(value)) }
    static func key(_ key: IdentityKey) -> [UInt8] { bag(keyBag, key.pkcs8.bytes) }
    static func certificate(_ der: [UInt8]) -> [UInt8] { bag(certificateBag, sequence(x509, tagged(octets(der)))) }
    /// Bags in unencrypted contents.
    static func plain(_ bags: [UInt8]...) -> [UInt8] {
        sequence(data, tagged(octets(element(0x30, bags.flatMap(\.self)))))
    }
    /// Contents that are encrypted by the triple DES scheme of PKCS #12.
    static func encrypted(_ bytes: [UInt8], algorithm: [UInt8]) -> [UInt8] {
        sequence(encryptedData, tagged(sequence(integer(0), sequence(data, algorithm, element(0x80, bytes)))))
    }
    static func tripleDES(salt: [UInt8], iterations: Int) -> [UInt8] {
        sequence(sha1TripleDES, sequence(octets(salt), integer(iterations)))
    }

    /// An archive of contents, with a MAC over them.
    static func archive(_ contents: [UInt8]..., password: String = "", iterations: Int = 1) throws -> [UInt8] {
        try PKCS12Writer(password: ArchivePassword(password), iterations: iterations)
            .sealed(element(0x30, contents.flatMap(\.self)), salt: [1, 2, 3, 4, 5, 6, 7, 8])
    }

    /// An archive of contents, with the MAC of RFC 9579 over them.
    static func pbmac1(_ contents: [UInt8], password: String, keyByteCount: Int) throws -> [UInt8] {
        let (safe, salt): ([UInt8], [UInt8]) = (sequence(contents), [8, 7, 6, 5, 4, 3, 2, 1])
        let key = try ArchiveHash.sha256.pbkdf2(password: Array(password.utf8), salt: salt, iterations: 3, byteCount: keyByteCount)
        let hmac = sequence(element(0x06, Array(pkcs.dropLast()) + [0x02, 0x09]), [0x05, 0x00])
        let derivation = sequence(
            element(0x06, pkcs + [0x05, 0x0C]), sequence(octets(salt), integer(3), integer(keyByteCount), hmac))
        let algorithm = sequence(element(0x06, pkcs + [0x05, 0x0E]), sequence(derivation, hmac))
        let digest = sequence(algorithm, octets(ArchiveHash.sha256.hmac(of: safe, key: key)))
        return sequence(
            integer(3), sequence(data, tagged(octets(safe))), sequence(digest, octets(Array("NOT USED".utf8)), integer(1)))
    }

    /// Converts DER into BER: every constructed element gets an indefinite length, and octet strings are divided into parts.
    static func indefinite(_ der: [UInt8]) -> [UInt8] {
        var (result, position): ([UInt8], Int) = ([], 0)
        while position < der.count {
            let tag = der[position]
            var (length, header) = (Int(der[position + 1]), 2)
            if length > 128 {
                header += length & 0x7F
                length = der[(position + 2)..<(position + header)].reduce(0) { $0 << 8 | Int($1) }
            }
            let content = Array(der[(position + header)..<(position + header + length)])
            if tag & 0x20 != 0 {
                result += [tag, 0x80] + indefinite(content) + [0, 0]
            } else if tag == 0x04 || tag == 0x80, content.count > 1 {
                let half = content.count / 2
                result += [tag | 0x20, 0x80] + octets(Array(content[..<half])) + octets(Array(content[half...])) + [0, 0]
            } else {
                result += element(tag, content)
            }
            position += header + length
        }
        return result
    }
}
