import Countersign
import CountersignIdentity
import Foundation
import TestTurns
import Testing

/// Archives that OpenSSL writes.
@Suite(.takesTurns, .enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)")) struct `Archives of OpenSSL` {
    /// The encryption of an archive, as options of `openssl pkcs12 -export`.
    enum Form: String, CaseIterable {
        case modern = ""
        case legacy = "-legacy"
        case aes128And192 = "-keypbe aes-128-cbc -certpbe aes-192-cbc"
        case tripleDES = "-keypbe des-ede3-cbc -certpbe des-ede3-cbc"
        case twoKeyTripleDES = "-legacy -keypbe PBE-SHA1-2DES -certpbe PBE-SHA1-2DES"
        case rc2With128Bits = "-legacy -keypbe PBE-SHA1-RC2-128 -certpbe PBE-SHA1-RC2-128"
        case rc2With40Bits = "-legacy -keypbe PBE-SHA1-RC2-40 -certpbe PBE-SHA1-RC2-40"
        case unencrypted = "-keypbe NONE -certpbe NONE"
        case sha1Code = "-macalg sha1"
        case sha384Code = "-macalg sha384"
        case sha512Code = "-macalg sha512"
        case oneRoundForTheCode = "-nomaciter"
        case manyRounds = "-iter 100000"
        case noCode = "-nomac"
        case noCodeAndLegacy = "-nomac -legacy"
        case named = "-name Ada -CSP CSP"
        case marked = "-LMK -keysig"
    }

    private func archive(of identity: ClientIdentity, extra: [[UInt8]] = [], password: String, form: Form = .modern) throws
        -> [UInt8]
    {
        var files = ["key.pem": identity.privateKey.pem.bytes, "leaf.pem": TestIdentity.pem(identity.certificateChain[0])]
        var arguments = ["pkcs12", "-export", "-inkey", "key.pem", "-in", "leaf.pem", "-passout", "pass:\(password)"]
        if !extra.isEmpty {
            files["extra.pem"] = extra.flatMap(TestIdentity.pem)
            arguments += ["-certfile", "extra.pem"]
        }
        return try OpenSSL.output(arguments + form.rawValue.split(separator: " ").map(String.init), files: files)
    }

    @Test(arguments: Form.allCases, ["", "geheim", "Pässwörd 🔑"])
    func `RT-48 an archive is read in every form, with and without a password`(form: Form, password: String) throws {
        let family = try TestIdentity.Family(.p256)
        let bytes = try archive(of: family.identity, password: password, form: form)
        let archive = try PKCS12Archive(reading: bytes, password: password, at: TestIdentity.now)
        #expect(archive.identity == family.identity)
        #expect(archive.identity.certificateChain == [family.leaf])
        #expect(try samePublicKey(archive.identity.privateKey, family.identity.privateKey))
        #expect(archive.otherCertificates.isEmpty)
        expect(.wrongPassword) { () throws(IdentityError) in
            try PKCS12Archive(reading: bytes, password: password + "x", at: TestIdentity.now)
        }
    }

    @Test(arguments: [Form.modern, .legacy]) func `an RSA key is read`(form: Form) throws {
        let family = try TestIdentity.Family(.rsa2048)
        let archive = try PKCS12Archive(
            reading: archive(of: family.identity, password: "geheim", form: form), password: "geheim", at: TestIdentity.now)
        #expect(archive.identity.privateKey.pkcs8 == family.identity.privateKey.pkcs8)
    }

    @Test(arguments: ["P-384", "P-521", "ED25519"]) func `other usual keys are read`(name: String) throws {
        let parameters = name == "ED25519" ? ["ED25519"] : ["EC", "-pkeyopt", "ec_paramgen_curve:\(name)"]
        let pem = try OpenSSL.output(["genpkey", "-algorithm"] + parameters)
        let certificate = try OpenSSL.output(
            ["req", "-x509", "-key", "key.pem", "-subj", "/CN=Ada", "-days", "3000"], files: ["key.pem": pem])
        let bytes = try OpenSSL.output(
            ["pkcs12", "-export", "-inkey", "key.pem", "-in", "leaf.pem", "-passout", "pass:"],
            files: ["key.pem": pem, "leaf.pem": certificate])
        let archive = try PKCS12Archive(reading: bytes, at: TestIdentity.now)
        #expect(archive.identity.certificateChain.count == 1)
    }

    @Test(arguments: [Form.modern, .legacy])
    func `RT-48 issuers come behind the certificate, and others are left over`(form: Form) throws {
        let family = try TestIdentity.Family()
        let stranger = try TestIdentity.Authority("Stranger").der
        let extra = [stranger, try family.root.der, try family.authority.der]
        let bytes = try archive(of: family.identity, extra: extra, password: "geheim", form: form)
        let archive = try PKCS12Archive(reading: bytes, password: "geheim", at: TestIdentity.now)
        #expect(archive.identity.certificateChain == family.identity.certificateChain)
        #expect(archive.otherCertificates == [stranger])
    }

    @Test(arguments: [Form.modern, .legacy, .noCode]) func `an archive without a key says so`(form: Form) throws {
        let family = try TestIdentity.Family()
        let bytes = try OpenSSL.output(
            ["pkcs12", "-export", "-nokeys", "-in", "leaf.pem", "-passout", "pass:geheim"]
                + form.rawValue.split(separator: " ").map(String.init), files: ["leaf.pem": TestIdentity.pem(family.leaf)])
        expect(.noPrivateKey) { () throws(IdentityError) in
            try PKCS12Archive(reading: bytes, password: "geheim", at: TestIdentity.now)
        }
    }

    @Test func `a key without its certificate says so`() throws {
        let key = try TestIdentity.key(.p256)
        let other = try TestIdentity.Authority("Stranger").der
        let bytes = try OpenSSL.output(
            ["pkcs12", "-export", "-nocerts", "-inkey", "key.pem", "-in", "other.pem", "-passout", "pass:"],
            files: ["key.pem": key.pem.bytes, "other.pem": TestIdentity.pem(other)])
        expect(.noCertificate) { () throws(IdentityError) in try PKCS12Archive(reading: bytes, at: TestIdentity.now) }
    }

    private func samePublicKey(_ left: IdentityKey, _ right: IdentityKey) throws -> Bool {
        let keys = try [left, right].map {
            try OpenSSL.output(["pkey", "-in", "key.pem", "-pubout"], files: ["key.pem": $0.pem.bytes])
        }
        return keys[0] == keys[1]
    }
}
