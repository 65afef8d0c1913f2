internal import SwiftASN1
internal import X509

/// The certificates of an archive or of an authority's response: the chain of a key, and the others.
struct CertificateChain {
    let identity: ClientIdentity
    /// The certificates outside of the chain, in their original order.
    let others: [[UInt8]]

    /// The maximum number of certificates, since each may require the verification of a signature.
    static let maximumCertificates = 100
    /// The maximum length of a chain. Real chains have two to four certificates.
    private static let maximumLength = 10

    private struct Entry {
        let index: Int
        let certificate: Certificate
    }

    init(of key: IdentityKey, among certificates: [[UInt8]]) throws(IdentityError) {
        guard certificates.count <= Self.maximumCertificates else {
            throw IdentityError(
                .tooLarge, detail: "There are \(certificates.count) certificates; \(Self.maximumCertificates) is the limit.")
        }
        // Invalid and unsupported certificates are ignored: they can neither belong to the key nor be verified as issuers.
        var left = certificates.enumerated().compactMap { index, bytes in
            (try? Certificate(derEncoded: bytes)).map { Entry(index: index, certificate: $0) }
        }
        let publicKey = key.key.publicKey
        let own = left.filter { $0.certificate.publicKey == publicKey }
        // Certificates are often renewed with the same key, so the one with the latest expiry is used.
        guard let leaf = own.max(by: { $0.certificate.notValidAfter < $1.certificate.notValidAfter }) else {
            throw IdentityError(
                .noCertificate, detail: "None of the \(certificates.count) certificates belongs to the private key.")
        }
        var chain = [leaf]
        left.removeAll { $0.certificate == leaf.certificate }
        while chain.count < Self.maximumLength, let issuer = Self.issuer(of: chain[chain.count - 1].certificate, in: left) {
            chain.append(issuer)
            left.removeAll { $0.certificate == issuer.certificate }
        }
        let used = Set(chain.map(\.index))
        identity = ClientIdentity(chain: chain.map { certificates[$0.index] }, leaf: leaf.certificate, privateKey: key)
        others = certificates.indices.filter { !used.contains($0) }.map { certificates[$0] }
    }

    /// Returns the issuer of a certificate. If an authority has several certificates of one name, the one that signed is
    /// preferred.
    private static func issuer(of certificate: Certificate, in others: [Entry]) -> Entry? {
        guard certificate.issuer != certificate.subject else { return nil }
        let named = others.filter { $0.certificate.subject == certificate.issuer }
        return named.first { $0.certificate.publicKey.isValidSignature(certificate.signature, for: certificate) } ?? named.first
    }
}
