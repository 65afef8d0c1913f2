internal import Crypto
internal import SwiftASN1

/// What a security context is bound to by the server's certificate, of the kind `tls-server-end-point` (RFC 5929, section 4).
enum ChannelBinding {
    /// The application data of the binding.
    ///
    /// - Parameter certificate: The server's, in DER.
    static func serverEndPoint(_ certificate: [UInt8]) -> [UInt8] {
        let hash: [UInt8] =
            switch (try? signatureAlgorithm(of: certificate)).flatMap(\.self).flatMap({ hashes[$0] }) {
            case .sha384: Array(SHA384.hash(data: certificate))
            case .sha512: Array(SHA512.hash(data: certificate))
            // Also in place of MD5 and SHA-1. Where the hash is a parameter (RSASSA-PSS), or there is none, another one may be meant: the server
            // refuses the context then.
            case nil: Array(SHA256.hash(data: certificate))
            }
        return Array("tls-server-end-point:".utf8) + hash
    }

    /// A hash that is longer than the usual one.
    private enum LongHash {
        case sha384, sha512
    }

    /// The algorithms with a longer hash: of RSA (RFC 8017, appendix A.2.4) and of ECDSA (RFC 5758, section 3.2).
    private static let hashes: [ASN1ObjectIdentifier: LongHash] = [
        [1, 2, 840, 113549, 1, 1, 12]: .sha384, [1, 2, 840, 113549, 1, 1, 13]: .sha512,
        [1, 2, 840, 10045, 4, 3, 3]: .sha384, [1, 2, 840, 10045, 4, 3, 4]: .sha512,
    ]

    /// The algorithm by which a certificate is signed (RFC 5280, section 4.1.1.2); `nil` if it is none.
    private static func signatureAlgorithm(of certificate: [UInt8]) throws -> ASN1ObjectIdentifier? {
        try DER.sequence(try DER.parse(certificate), identifier: .sequence) { parts in
            // What is signed, and the signature behind the algorithm, are not looked at.
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
