import Countersign
import CountersignIdentity
import Foundation
import TestTurns
import Testing

@Suite(.takesTurns) struct `Certificate requests` {
    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: IdentityKey.Kind.allCases, ["DER", "PEM"])
    func `OpenSSL verifies a request and finds what was asked for`(kind: IdentityKey.Kind, form: String) throws {
        let request = try CertificateRequest(
            subject: CertificateSubject(#"CN=Ada Lučić,OU=Sales+UID=ada,O=Example\, Ltd.,C=GB"#),
            alternativeNames: [.email("ada@example.org"), .dns("ada.example.org"), .uri("urn:uuid:1")], key: TestIdentity.key(kind))
        let result = try OpenSSL.run(
            ["req", "-inform", form, "-in", "request", "-verify", "-noout", "-text", "-nameopt", "RFC2253,utf8,-esc_msb"],
            files: ["request": form == "DER" ? request.der : Array(request.pem.utf8)])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("verify OK"), "\(result.errors)")
        let levels = try #require(result.text.components(separatedBy: "\n").first { $0.contains("Subject:") })
        #expect(levels.contains("CN=Ada Lučić,") && levels.contains(#",O=Example\, Ltd.,C=GB"#), "\(levels)")
        #expect(levels.contains("OU=Sales") && levels.contains("UID=ada"))
        #expect(result.text.contains("email:ada@example.org, DNS:ada.example.org, URI:urn:uuid:1"), "\(result.text)")
        #expect(result.text.contains(kind == .p256 ? "ecdsa-with-SHA256" : "sha256WithRSAEncryption"))
        #expect(result.text.contains(kind == .p256 ? "prime256v1" : "2048 bit"))
        #expect(!result.text.contains("X509v3 Subject Alternative Name: critical"))
    }

    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"))
    func `without a subject, the alternative names are critical`() throws {
        let request = try CertificateRequest(
            subject: CertificateSubject(""), alternativeNames: [.email("ada@example.org")], key: TestIdentity.key(.p256))
        let result = try OpenSSL.run(
            ["req", "-in", "request", "-verify", "-noout", "-text"], files: ["request": Array(request.pem.utf8)])
        #expect(result.errors.contains("verify OK"), "\(result.errors)")
        #expect(result.text.contains("X509v3 Subject Alternative Name: critical"), "\(result.text)")
    }

    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: IdentityKey.Kind.allCases)
    func `a request becomes a certificate, and the certificate an archive`(kind: IdentityKey.Kind) throws {
        let key = try TestIdentity.key(kind)
        let request = try CertificateRequest(
            subject: CertificateSubject("CN=Ada"), alternativeNames: [.email("ada@example.org")], key: key)
        let authorityKey = try IdentityKey(generating: .p256)
        let authority = try OpenSSL.output(
            ["req", "-x509", "-key", "ca.key", "-subj", "/CN=Authority", "-days", "3000"], files: ["ca.key": authorityKey.pem.bytes]
        )
        let files = ["ca.key": authorityKey.pem.bytes, "ca.pem": authority, "request": Array(request.pem.utf8)]
        let arguments = ["-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "1", "-copy_extensions", "copy", "-days", "2000"]
        let certificate = try OpenSSL.output(["x509", "-req", "-in", "request", "-outform", "DER"] + arguments, files: files)
        let authorityDER = try OpenSSL.output(["x509", "-in", "ca.pem", "-outform", "DER"], files: files)
        let identity = try ClientIdentity(certificates: [authorityDER, certificate], privateKey: key)
        let archive = try PKCS12Archive(reading: PKCS12Archive.write(identity).bytes, at: TestIdentity.now)
        #expect(archive.identity.certificateChain == [certificate, authorityDER])
        #expect(archive.identity.privateKey.pkcs8 == key.pkcs8)
    }

    @Test func `a request without any name is refused`() throws {
        let key = try TestIdentity.key(.p256)
        expect(.malformedSubject) { () throws(IdentityError) in try CertificateRequest(subject: CertificateSubject(""), key: key) }
    }

    @Test(arguments: ["", "adä@example.org", "a b", "a\u{0}b", "a\nb", String(repeating: "a", count: 2049)])
    func `a name that a certificate cannot have is refused`(text: String) throws {
        let key = try TestIdentity.key(.p256)
        for name in [SubjectAlternativeName.email(text), .dns(text), .uri(text)] {
            expect(.malformedAlternativeName) { () throws(IdentityError) in
                try CertificateRequest(subject: CertificateSubject("CN=Ada"), alternativeNames: [name], key: key)
            }
        }
    }
}
