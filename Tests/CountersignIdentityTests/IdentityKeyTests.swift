import Countersign
import CountersignIdentity
import Foundation
import TestTurns
import Testing

@Suite(.takesTurns) struct `Identity keys` {
    @Test(arguments: IdentityKey.Kind.allCases) func `a key is read from what it writes`(kind: IdentityKey.Kind) throws {
        let key = try TestIdentity.key(kind)
        #expect(try IdentityKey(pkcs8: key.pkcs8.bytes).pkcs8 == key.pkcs8)
        #expect(try IdentityKey(generating: .p256).pkcs8 != IdentityKey(generating: .p256).pkcs8)
    }

    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: IdentityKey.Kind.allCases)
    func `OpenSSL finds a key sound, in DER and in PEM`(kind: IdentityKey.Kind) throws {
        let key = try TestIdentity.key(kind)
        let files = ["key.der": key.pkcs8.bytes, "key.pem": key.pem.bytes]
        let fromDER = try OpenSSL.run(["pkey", "-inform", "DER", "-in", "key.der", "-check", "-text", "-noout"], files: files)
        let fromPEM = try OpenSSL.run(["pkey", "-inform", "PEM", "-in", "key.pem", "-check", "-text", "-noout"], files: files)
        #expect(fromDER.status == 0 && fromDER.text == fromPEM.text, "\(fromDER.errors)")
        #expect(fromDER.text.contains("Key is valid"))
        #expect(fromDER.text.contains(kind == .p256 ? "prime256v1" : "2048 bit"))
    }

    @Test func `attributes and the public key beside a key are let go`() throws {
        let key = try TestIdentity.key(.p256)
        let bytes = key.pkcs8.bytes
        // The sequence has a length of one byte (0x81), and gets an additional part at the end.
        #expect(bytes[1] == 0x81)
        let attributes = Structure.tagged(Structure.sequence([0x06, 0x01, 0x2A]) + Structure.sequence([0x06, 0x01, 0x2A]))
        let longer = Structure.element(0x30, Array(bytes[3...]) + attributes)
        #expect(try IdentityKey(pkcs8: longer).pkcs8 == key.pkcs8)
    }

    @Test func `what is no key is malformed, and what is an unknown one unsupported`() throws {
        for bytes in [[], [0x30], [0x30, 0x00], Array("-----BEGIN PRIVATE KEY-----".utf8)] as [[UInt8]] {
            expect(.malformed) { () throws(IdentityError) in try IdentityKey(pkcs8: bytes) }
        }
        var bytes = try TestIdentity.key(.p256).pkcs8.bytes
        let place = try #require(bytes.firstRange(of: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
        bytes[place.upperBound - 1] = 0x01
        expect(.unsupported) { () throws(IdentityError) in try IdentityKey(pkcs8: bytes) }
    }
}
