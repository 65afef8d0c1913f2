import Countersign
import CountersignIdentity
import TestTurns
import Testing

@Suite(.computes) struct `Pins of certificates` {
    // RFC 7469, section 2.1.5
    private let example = "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="

    @Test func `a renewed certificate keeps its pin, and another key has another`() throws {
        let authority = try TestIdentity.Authority("Clients")
        let (key, other) = (try TestIdentity.key(.p256), try IdentityKey(generating: .p256))
        let pin = try PublicKeyPin(certificate: authority.certificate(for: key))
        #expect(try PublicKeyPin(certificate: authority.certificate(for: key, name: "Eve")) == pin)
        #expect(try PublicKeyPin(certificate: authority.certificate(for: other)) != pin)
    }

    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: IdentityKey.Kind.allCases)
    func `OpenSSL computes the same pin`(kind: IdentityKey.Kind) throws {
        let leaf = try TestIdentity.Family(kind).leaf
        let key = try OpenSSL.output(["x509", "-in", "c.pem", "-noout", "-pubkey"], files: ["c.pem": TestIdentity.pem(leaf)])
        let der = try OpenSSL.output(["pkey", "-pubin", "-in", "k.pem", "-outform", "DER"], files: ["k.pem": key])
        let hash = try OpenSSL.output(["dgst", "-sha256", "-binary", "k.der"], files: ["k.der": der])
        #expect(try PublicKeyPin(certificate: leaf).sha256 == hash)
    }

    @Test func `one pinned key among the certificates is enough, and no pin matches nothing`() throws {
        let family = try TestIdentity.Family()
        let chain = family.identity.certificateChain
        let pin = try PublicKeyPin(certificate: family.authority.der)
        let other = try #require(PublicKeyPin(example))
        #expect(PublicKeyPin.matches(certificates: chain, anyOf: [other, pin]))
        #expect(!PublicKeyPin.matches(certificates: chain, anyOf: [other]))
        #expect(!PublicKeyPin.matches(certificates: chain, anyOf: []))
        #expect(!PublicKeyPin.matches(certificates: [], anyOf: [pin]))
        #expect(!PublicKeyPin.matches(certificates: [[0x30, 0x00]], anyOf: [pin]))
    }

    @Test func `every beginning of a certificate is malformed`() throws {
        let leaf = try TestIdentity.Family().leaf
        for count in leaf.indices {
            expect(.malformed) { () throws(IdentityError) in try PublicKeyPin(certificate: leaf.prefix(count)) }
        }
    }
}
