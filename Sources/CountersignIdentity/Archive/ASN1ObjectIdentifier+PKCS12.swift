internal import SwiftASN1

/// The object identifiers in archives.
extension ASN1ObjectIdentifier {
    /// The types of contents and bags (RFC 2315, section 14; RFC 7292, appendix D; RFC 2985, appendix B).
    enum Archive {
        static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
        static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
        static let encryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 6]
        static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
        static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
        static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
        static let safeContentsBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 6]
        static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 22, 1]
        static let localKeyIdentifier: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 21]
    }

    /// The schemes of password-based encryption: those of PKCS #12 (RFC 7292, appendix C) and of PKCS #5 (RFC 8018, appendix B).
    enum Encryption {
        static let sha1TripleDES: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 1, 3]
        static let sha1TwoKeyTripleDES: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 1, 4]
        static let sha1RC2With128Bits: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 1, 5]
        static let sha1RC2With40Bits: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 1, 6]
        static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 13]
        static let pbkdf2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 12]
        static let pbmac1: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 14]
        static let tripleDES: ASN1ObjectIdentifier = [1, 2, 840, 113549, 3, 7]
        static let aes128: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 1, 2]
        static let aes192: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 1, 22]
        static let aes256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 1, 42]
    }
}
