import Countersign
import CountersignIdentity
import Foundation
import NIOSSL
import TestTurns
import Testing

@Suite(.takesTurns) struct `PKCS 12 archives` {
    @Test(arguments: IdentityKey.Kind.allCases, ["", "geheim", "Pässwörd 🔑"])
    func `what is written is read again`(kind: IdentityKey.Kind, password: String) throws {
        let identity = try TestIdentity.Family(kind).identity
        let bytes = try PKCS12Archive.write(identity, password: password, iterations: 10)
        let archive = try PKCS12Archive(reading: bytes.bytes, password: password, at: TestIdentity.now)
        #expect(archive.identity == identity)
        #expect(archive.identity.certificateChain == identity.certificateChain)
        #expect(archive.identity.privateKey.pkcs8 == identity.privateKey.pkcs8)
        #expect(archive.otherCertificates.isEmpty)
    }

    @Test(
        .enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: IdentityKey.Kind.allCases,
        [("", nil, 2048), ("geheim", nil, 600_000), ("Pässwörd 🔑", 12_345, 12_345)] as [(String, Int?, Int)])
    func `OpenSSL reads what is written, and finds the algorithms of today`(
        kind: IdentityKey.Kind, form: (password: String, asked: Int?, iterations: Int)
    ) throws {
        let (password, iterations) = (form.password, form.iterations)
        let identity = try TestIdentity.Family(kind).identity
        let bytes = try PKCS12Archive.write(identity, password: password, iterations: form.asked)
        let result = try OpenSSL.run(
            ["pkcs12", "-in", "archive.p12", "-passin", "pass:\(password)", "-nodes", "-info"], files: ["archive.p12": bytes.bytes])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("MAC: sha256, Iteration \(iterations)"), "\(result.errors)")
        let scheme = "PBES2, PBKDF2, AES-256-CBC, Iteration \(iterations), PRF hmacWithSHA256"
        #expect(result.errors.contains("PKCS7 Encrypted data: \(scheme)"), "\(result.errors)")
        #expect(result.errors.contains("Shrouded Keybag: \(scheme)"), "\(result.errors)")
        #expect(result.text.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
        let keys = try [Array(result.output), identity.privateKey.pem.bytes].map { pem in
            try OpenSSL.output(["pkey", "-in", "key.pem", "-outform", "DER"], files: ["key.pem": pem])
        }
        #expect(keys[0] == keys[1])
    }

    @Test(arguments: IdentityKey.Kind.allCases, ["", "geheim", "Pässwörd"])
    func `NIOSSL reads what is written`(kind: IdentityKey.Kind, password: String) throws {
        let identity = try TestIdentity.Family(kind).identity
        let bytes = try PKCS12Archive.write(identity, password: password, iterations: 10)
        let bundle = try NIOSSLPKCS12Bundle(buffer: bytes.bytes, passphrase: Array(password.utf8))
        #expect(try bundle.certificateChain.map { try $0.toDERBytes() } == identity.certificateChain)
        let key = try NIOSSLPrivateKey(bytes: identity.privateKey.pkcs8.bytes, format: .der)
        #expect(bundle.privateKey == key)
    }

    @Test func `what NIOSSL writes is read`() throws {
        let identity = try TestIdentity.Family().identity
        let bundle = NIOSSLPKCS12Bundle(
            certificateChain: try identity.certificateChain.map { try NIOSSLCertificate(bytes: $0, format: .der) },
            privateKey: try NIOSSLPrivateKey(bytes: identity.privateKey.pkcs8.bytes, format: .der))
        let bytes = try bundle.serialize(passphrase: Array("geheim".utf8))
        #expect(try PKCS12Archive(reading: bytes, password: "geheim", at: TestIdentity.now).identity == identity)
    }

    @Test func `two archives of one identity have nothing in common but their form`() throws {
        let identity = try TestIdentity.Family().identity
        let first = try PKCS12Archive.write(identity, iterations: 1).bytes
        let second = try PKCS12Archive.write(identity, iterations: 1).bytes
        #expect(zip(first, second).count(where: { $0 == $1 }) < first.count / 4)
    }

    @Test(arguments: [0, -1, 1_000_001]) func `other numbers of iterations are not written`(iterations: Int) throws {
        let identity = try TestIdentity.Family().identity
        expect(.tooLarge) { () throws(IdentityError) in try PKCS12Archive.write(identity, iterations: iterations) }
    }

    @Test func `a wrong password is distinguished from every other defect`() throws {
        let bytes = try PKCS12Archive.write(TestIdentity.Family().identity, password: "geheim", iterations: 10).bytes
        for password in ["", "Geheim", "geheim "] {
            expect(.wrongPassword) { () throws(IdentityError) in
                try PKCS12Archive(reading: bytes, password: password, at: TestIdentity.now)
            }
        }
    }

    @Test func `every beginning of an archive is truncated`() throws {
        let bytes = try PKCS12Archive.write(TestIdentity.Family().identity, iterations: 1).bytes
        for count in bytes.indices {
            expect(.truncated) { () throws(IdentityError) in
                try PKCS12Archive(reading: bytes.prefix(count), at: TestIdentity.now)
            }
        }
    }

    @Test func `every beginning of an archive in BER is truncated`() throws {
        let bytes = Structure.indefinite(try PKCS12Archive.write(TestIdentity.Family().identity, iterations: 1).bytes)
        for count in bytes.indices {
            expect(.truncated) { () throws(IdentityError) in
                try PKCS12Archive(reading: bytes.prefix(count), at: TestIdentity.now)
            }
        }
    }

    @Test func `an archive in BER is read`() throws {
        let identity = try TestIdentity.Family().identity
        let bytes = Structure.indefinite(try PKCS12Archive.write(identity, password: "geheim", iterations: 10).bytes)
        #expect(try PKCS12Archive(reading: bytes, password: "geheim", at: TestIdentity.now).identity == identity)
    }

    @Test(arguments: ["", "geheim"]) func `an expired certificate says since when`(password: String) throws {
        let end = TestIdentity.now.addingTimeInterval(-60)
        let bytes = try PKCS12Archive.write(TestIdentity.Family(notValidAfter: end).identity, password: password, iterations: 1)
            .bytes
        let error = expect(.expired) { () throws(IdentityError) in
            try PKCS12Archive(reading: bytes, password: password, at: TestIdentity.now)
        }
        #expect(error?.notValidAfter == end)
        #expect(try PKCS12Archive(reading: bytes, password: password, at: end).identity.notValidAfter == end)
    }

    @Test(arguments: ["-----BEGIN PKCS12-----", "{}", "0\u{01}0", "0"]) func `what is no archive is malformed or truncated`(
        text: String
    ) {
        #expect(throws: IdentityError.self) { try PKCS12Archive(reading: Array(text.utf8), at: TestIdentity.now) }
    }

    @Test func `more than the limit is not even looked at`() {
        expect(.tooLarge) { () throws(IdentityError) in
            try PKCS12Archive(reading: [UInt8](repeating: 0x30, count: 256 * 1024 + 1), at: TestIdentity.now)
        }
    }
}
