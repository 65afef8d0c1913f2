import Countersign
import CountersignIdentity
import Foundation
import TestTurns
import Testing

/// Keys, passwords and archives do not appear in any printed value (RT-30).
@Suite(.computes) struct `Redaction` {
    /// Returns the texts that print a value accidentally.
    private func prints(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        // A dump puts each byte on a line of its own, indented by its depth.
        let lines = dumped.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        return [String(describing: value), String(reflecting: value), lines, "\(value)"]
    }

    /// Returns the middle of the bytes in the forms in which they could be printed.
    private func traces(of bytes: [UInt8]) -> [String] {
        let middle = Array(bytes[(bytes.count / 2)..<min(bytes.count, bytes.count / 2 + 12)])
        return [
            middle.hexadecimal, middle.map(String.init).joined(separator: ", "), middle.map { "- \($0)" }.joined(separator: "\n"),
            Data(bytes).base64EncodedString().prefix(bytes.count).suffix(20).description,
        ]
    }

    @Test(arguments: IdentityKey.Kind.allCases) func `nothing of a key or an archive is printed`(kind: IdentityKey.Kind) throws {
        let identity = try TestIdentity.Family(kind).identity
        let bytes = try PKCS12Archive.write(identity, password: "canary-password", iterations: 1)
        let archive = try PKCS12Archive(reading: bytes.bytes, password: "canary-password", at: TestIdentity.now)
        let request = try CertificateRequest(subject: CertificateSubject("CN=canary-name"), key: identity.privateKey)
        let values: [Any] = [
            identity, identity.privateKey, identity.privateKey.pem, bytes, archive, request, [identity],
            ["key": identity.privateKey],
            Optional(archive) as Any,
        ]
        let secrets =
            traces(of: identity.privateKey.pkcs8.bytes) + traces(of: bytes.bytes) + ["canary-password", "canary-name", "BEGIN"]
        for text in values.flatMap(prints) {
            for secret in secrets { #expect(!text.contains(secret), "\(text.prefix(200))") }
        }
        #expect(prints(identity).allSatisfy { $0.contains(identity.fingerprint) })
    }

    @Test func `errors repeat neither the password nor the name nor the bytes`() throws {
        let identity = try TestIdentity.Family().identity
        let bytes = try PKCS12Archive.write(identity, password: "right", iterations: 1).bytes
        let errors = [
            expect(.wrongPassword) { () throws(IdentityError) in
                try PKCS12Archive(reading: bytes, password: "canary-password", at: TestIdentity.now)
            },
            expect(.malformedSubject) { () throws(IdentityError) in try CertificateSubject("CN=canary-name;O=x") },
            expect(.malformedAlternativeName) { () throws(IdentityError) in
                try CertificateRequest(
                    subject: CertificateSubject("CN=a"), alternativeNames: [.email("canary-näme")], key: identity.privateKey)
            },
        ]
        for text in errors.compactMap(\.self).flatMap(prints) { #expect(!text.contains("canary"), "\(text)") }
    }

    @Test func `every error says what to do`() {
        let codes: [IdentityError.Code] = [
            .truncated, .malformed, .wrongPassword, .noPrivateKey, .severalPrivateKeys, .noCertificate, .expired, .unsupported,
            .tooLarge,
            .malformedSubject, .malformedAlternativeName, .keyFailed,
        ]
        for code in codes { #expect(IdentityError(code, detail: "x").recoverySuggestion != nil) }
        #expect(IdentityError(.expired, detail: "Over.").description == "Over. [expired]")
    }
}
