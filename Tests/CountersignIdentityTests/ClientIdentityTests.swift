import Countersign
import CountersignIdentity
import Foundation
import NIOSSL
import TestTurns
import Testing

@Suite(.takesTurns) struct `Client identities` {
    @Test func `certificates are sorted, whatever their order`() throws {
        let family = try TestIdentity.Family()
        let (leaf, authority, root) = (family.leaf, try family.authority.der, try family.root.der)
        for order in [
            [leaf, authority, root], [root, authority, leaf], [authority, leaf, root], [root, leaf, root, authority, leaf],
        ] {
            let identity = try ClientIdentity(certificates: order, privateKey: family.identity.privateKey)
            #expect(identity.certificateChain == [leaf, authority, root])
            #expect(identity == family.identity)
        }
        #expect(try ClientIdentity(certificates: [root, leaf], privateKey: family.identity.privateKey).certificateChain == [leaf])
    }

    @Test func `of two certificates for one key, the one that lasts longer is taken`() throws {
        let authority = try TestIdentity.Authority("Clients")
        let key = try TestIdentity.key(.p256)
        let old = try authority.certificate(for: key, notValidAfter: TestIdentity.now)
        let new = try authority.certificate(for: key)
        for order in [[old, new], [new, old]] {
            #expect(try ClientIdentity(certificates: order, privateKey: key).certificateChain == [new])
        }
    }

    @Test func `of two authorities with one name, the one that signed is taken`() throws {
        let (before, after) = (try TestIdentity.Authority("Clients"), try TestIdentity.Authority("Clients"))
        let key = try TestIdentity.key(.p256)
        let leaf = try after.certificate(for: key)
        let identity = try ClientIdentity(certificates: [before.der, leaf, after.der], privateKey: key)
        #expect(identity.certificateChain == [leaf, try after.der])
    }

    @Test func `a key needs its certificate`() throws {
        let family = try TestIdentity.Family()
        let other = try IdentityKey(generating: .p256)
        expect(.noCertificate) { () throws(IdentityError) in
            try ClientIdentity(certificates: family.identity.certificateChain, privateKey: other)
        }
        expect(.noCertificate) { () throws(IdentityError) in try ClientIdentity(certificates: [], privateKey: other) }
    }

    @Test func `identities are equal when their certificates are`() throws {
        let family = try TestIdentity.Family()
        let again = try ClientIdentity(certificates: [family.leaf], privateKey: family.identity.privateKey)
        #expect(again == family.identity)
        #expect(Set([again, family.identity]).count == 1)
        let renewed = try ClientIdentity(
            certificates: [family.authority.certificate(for: family.identity.privateKey)], privateKey: family.identity.privateKey)
        #expect(renewed != family.identity)
        #expect(family.identity.fingerprint.count == 64)
    }

    @Test(
        .enabled(if: OpenSSL.isExpected),
        arguments: ["00", "01", "0f", "7f", "80", "0100", "8000ff", "00ff", "102030405060708090a0b0c0d0e0f01020304050"])
    func `a serial number is what OpenSSL prints, in small letters`(digits: String) throws {
        let key = try IdentityKey(generating: .p256)
        let der = try OpenSSL.output(
            ["req", "-new", "-x509", "-key", "key.pem", "-subj", "/CN=Ada", "-set_serial", "0x\(digits)", "-outform", "DER"],
            files: ["key.pem": key.pem.bytes])
        let printed = try OpenSSL.run(["x509", "-inform", "DER", "-in", "one.der", "-noout", "-serial"], files: ["one.der": der])
            .text
        let serialNumber = try ClientIdentity(certificates: [der], privateKey: key).serialNumber
        #expect(printed == "serial=\(serialNumber.uppercased())\n")
        #expect(serialNumber == (digits == "00ff" ? "ff" : digits))
    }

    @Test func `validity ends with the certificate's last moment`() throws {
        let identity = try TestIdentity.Family().identity
        #expect(!identity.isExpired(at: identity.notValidAfter))
        #expect(identity.isExpired(at: identity.notValidAfter.addingTimeInterval(1)))
        #expect(identity.notValidBefore < TestIdentity.now)
    }

    @Test(arguments: IdentityKey.Kind.allCases) func `NIOSSL takes an identity`(kind: IdentityKey.Kind) throws {
        let identity = try TestIdentity.Family(kind).identity
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = try identity.certificateSources()
        configuration.privateKey = try identity.privateKeySource()
        #expect(configuration.certificateChain.count == 3)
        // The TLS library refuses a key that does not match the certificate.
        _ = try NIOSSLContext(configuration: configuration)
        configuration.privateKey = try TestIdentity.Family(kind == .p256 ? .rsa2048 : .p256).identity.privateKeySource()
        #expect(throws: (any Error).self) { try NIOSSLContext(configuration: configuration) }
        // Equal identities give equal configurations, so that connections are shared (RT-46).
        var again = TLSConfiguration.makeClientConfiguration()
        again.certificateChain = try identity.certificateSources()
        again.privateKey = try identity.privateKeySource()
        configuration.privateKey = try identity.privateKeySource()
        #expect(configuration.bestEffortEquals(again))
    }
}
