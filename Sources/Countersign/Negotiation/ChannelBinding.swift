internal import Crypto
internal import SwiftASN1

/// The channel binding of a security context to the server's certificate, of the type `tls-server-end-point` (RFC 5929, section
/// 4).
enum ChannelBinding {
    /// Returns the application data of the binding.
    ///
    /// - Parameter certificate: The server's certificate in DER.
    static func serverEndPoint(_ certificate: [UInt8]) -> [UInt8] {
        let hash: [UInt8] =
            switch (try? signatureAlgorithm(of: certificate)).flatMap(\.self).flatMap({ hashes[$0] }) {
            case .sha384: Array(SHA384.hash(data: certificate))
            case .sha512: Array(SHA512.hash(data: certificate))
            // SHA-256 also replaces MD5 and SHA-1. If the hash is a parameter (RSASSA-PSS), or the algorithm has none, another
            // hash may be expected, and the server then refuses the context.
            case nil: Array(SHA256.hash(data: certificate))
            }
        return Array("tls-server-end-point:".utf8) + hash
    }

    /// A hash function with a longer result than SHA-256.
    private enum LongHash {
        case sha384, sha512
    }

    /// The signature algorithms with a longer hash: of RSA (RFC 8017, appendix A.2.4) and of ECDSA (RFC 5758, section 3.2).
    private static let hashes: [ASN1ObjectIdentifier: LongHash] = [
        [1, 2, 840, 113549, 1, 1, 12]: .sha384, [1, 2, 840, 113549, 1, 1, 13]: .sha512,
        [1, 2, 840, 10045, 4, 3, 3]: .sha384, [1, 2, 840, 10045, 4, 3, 4]: .sha512,
    ]

    /// Returns the signature algorithm of a certificate (RFC 5280, section 4.1.1.2); `nil` if the data is not a certificate.
    private static func signatureAlgorithm(of certificate: [UInt8]) throws -> ASN1ObjectIdentifier? {
        try DER.sequence(try DER.parse(certificate), identifier: .sequence) { parts in
            // The signed part before the algorithm and the signature after it are ignored.
            let all = Array(IteratorSequence(parts))
            while parts.next() != nil {}
            guard all.count > 1 else { return nil }
            return try DER.sequence(all[1], identifier: .sequence) { parts in
                let identifier = try ASN1ObjectIdentifier(derEncoded: &parts)
                while parts.next() != nil {}
                return identifier
            }
        }
    }
}
