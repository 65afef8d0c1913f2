internal import SwiftASN1
internal import X509

/// The certificates of an archive or of an authority's answer, sorted: the key's own, its issuers, and the rest.
struct CertificateChain {
    let identity: ClientIdentity
    /// Those that the chain does not need, in the order in which they came.
    let others: [[UInt8]]

    /// More certificates than this are no user's identity, and each may cost the check of a signature.
    static let certificateLimit = 100
    /// Real chains have two to four.
    private static let lengthLimit = 10

    private struct Entry {
        let index: Int
        let certificate: Certificate
    }

    init(of key: IdentityKey, among certificates: [[UInt8]]) throws(IdentityError) {
        guard certificates.count <= Self.certificateLimit else {
            throw IdentityError(
                .tooLarge, detail: "There are \(certificates.count) certificates; \(Self.certificateLimit) is the limit.")
        }
        // What is no certificate, or one of a kind unknown here, can be neither the key's nor a link that is checked.
        var left = certificates.enumerated().compactMap { index, bytes in
            (try? Certificate(derEncoded: bytes)).map { Entry(index: index, certificate: $0) }
        }
        let publicKey = key.key.publicKey
        let own = left.filter { $0.certificate.publicKey == publicKey }
        // A certificate is often renewed with its old key: the one that lasts longest is meant.
        guard let leaf = own.max(by: { $0.certificate.notValidAfter < $1.certificate.notValidAfter }) else {
            throw IdentityError(
                .noCertificate, detail: "None of the \(certificates.count) certificates belongs to the private key.")
        }
        var chain = [leaf]
        left.removeAll { $0.certificate == leaf.certificate }
        while chain.count < Self.lengthLimit, let issuer = Self.issuer(of: chain[chain.count - 1].certificate, in: left) {
            chain.append(issuer)
            left.removeAll { $0.certificate == issuer.certificate }
        }
        let used = Set(chain.map(\.index))
        identity = ClientIdentity(chain: chain.map { certificates[$0.index] }, leaf: leaf.certificate, privateKey: key)
        others = certificates.indices.filter { !used.contains($0) }.map { certificates[$0] }
    }

    /// An authority that changed its key has two certificates of one name: the one that signed is taken, if that can be told.
    private static func issuer(of certificate: Certificate, in others: [Entry]) -> Entry? {
        guard certificate.issuer != certificate.subject else { return nil }
        let named = others.filter { $0.certificate.subject == certificate.issuer }
        return named.first { $0.certificate.publicKey.isValidSignature(certificate.signature, for: certificate) } ?? named.first
    }
}
