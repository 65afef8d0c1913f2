import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignIdentity

/// Archives that no usual program writes, but that may be received nevertheless.
@Suite(.computes) struct `Odd archives` {
    private let family: TestIdentity.Family
    private var key: [UInt8] { Structure.key(family.identity.privateKey) }
    private var certificate: [UInt8] { Structure.certificate(family.leaf) }

    init() throws { family = try TestIdentity.Family() }

    private func read(_ bytes: [UInt8], password: String = "") throws(IdentityError) -> PKCS12Archive {
        try PKCS12Archive(reading: bytes, password: password, at: TestIdentity.now)
    }

    @Test func `key and certificate may share contents`() throws {
        #expect(try read(Structure.archive(Structure.plain(key, certificate))).identity == family.identity)
    }

    @Test func `bags may hold bags, up to a depth`() throws {
        var bag = Structure.sequence(key, certificate)
        for _ in 0..<3 { bag = Structure.sequence(Structure.bag(Structure.safeContentsBag, bag)) }
        let contents = Structure.sequence(Structure.data, Structure.tagged(Structure.octets(bag)))
        #expect(try read(Structure.archive(contents)).identity == family.identity)
        bag = Structure.sequence(Structure.bag(Structure.safeContentsBag, bag))
        let deeper = try Structure.archive(Structure.sequence(Structure.data, Structure.tagged(Structure.octets(bag))))
        expect(.malformed) { () throws(IdentityError) in try read(deeper) }
    }

    @Test func `contents for others and secrets are left alone`() throws {
        let others = Structure.sequence(Structure.envelopedData, Structure.tagged(Structure.octets([1, 2, 3])))
        let secret = Structure.bag(Structure.secretBag, Structure.octets([1, 2, 3]))
        #expect(try read(Structure.archive(others, Structure.plain(secret, key, certificate))).identity == family.identity)
    }

    @Test func `two keys are one too many`() throws {
        let bytes = try Structure.archive(Structure.plain(key, certificate), Structure.plain(key))
        expect(.severalPrivateKeys) { () throws(IdentityError) in try read(bytes) }
    }

    @Test func `no contents, no key`() throws {
        for bytes in [
            try Structure.archive(), try Structure.archive(Structure.plain()), try Structure.archive(Structure.plain(certificate)),
        ] {
            expect(.noPrivateKey) { () throws(IdentityError) in try read(bytes) }
        }
    }

    @Test func `a key of a kind unknown here is unsupported`() throws {
        var bytes = family.identity.privateKey.pkcs8.bytes
        // Changes id-ecPublicKey into another identifier of ANSI X9.62.
        let place = try #require(bytes.firstRange(of: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]))
        bytes[place.upperBound - 1] = 0x7F
        let archive = try Structure.archive(Structure.plain(Structure.bag(Structure.keyBag, bytes), certificate))
        expect(.unsupported) { () throws(IdentityError) in try read(archive) }
    }

    @Test func `RC4 is unsupported`() throws {
        let algorithm = Structure.sequence(Structure.rc4, Structure.sequence(Structure.octets([1]), Structure.integer(1)))
        let bytes = try Structure.archive(Structure.encrypted([1, 2, 3], algorithm: algorithm))
        expect(.unsupported) { () throws(IdentityError) in try read(bytes) }
    }

    @Test(.enabled(if: OpenSSL.isExpected, "\(OpenSSL.whatToInstall)"), arguments: ["", "geheim"], [true, false])
    func `a key may be in contents that are encrypted as a whole, whatever no password is`(password: String, asText: Bool) throws {
        guard asText || password.isEmpty else { return }
        // OpenSSL encrypts with the key that is derived from the password. Some programs hash no byte for an empty password.
        let utf16 = asText ? ArchivePassword(password).utf16 : []
        let salt: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
        let (cipherKey, vector) = (
            ArchiveHash.sha1.pkcs12Key(.encryption, password: utf16, salt: salt, iterations: 3, byteCount: 24),
            ArchiveHash.sha1.pkcs12Key(.initializationVector, password: utf16, salt: salt, iterations: 3, byteCount: 8)
        )
        let encrypted = try OpenSSL.output(
            ["enc", "-des-ede3-cbc", "-K", cipherKey.hexadecimal, "-iv", vector.hexadecimal, "-in", "plain"],
            files: ["plain": Structure.sequence(key, certificate)])
        let contents = Structure.encrypted(encrypted, algorithm: Structure.tripleDES(salt: salt, iterations: 3))
        // Without a MAC, and with one.
        let safe = Structure.sequence(contents)
        let bare = Structure.sequence(
            Structure.integer(3), Structure.sequence(Structure.data, Structure.tagged(Structure.octets(safe))))
        #expect(try read(bare, password: password).identity == family.identity)
        guard asText else { return }
        #expect(try read(Structure.archive(contents, password: password), password: password).identity == family.identity)
    }

    @Test(arguments: [32, 20]) func `PBMAC1 is checked, without a password and with one`(keyByteCount: Int) throws {
        for password in ["", "Pässwörd"] {
            let bytes = try Structure.pbmac1(Structure.plain(key, certificate), password: password, keyByteCount: keyByteCount)
            #expect(try read(bytes, password: password).identity == family.identity)
            expect(.wrongPassword) { () throws(IdentityError) in try read(bytes, password: "other") }
        }
    }

    @Test(arguments: [19, 1, 129]) func `PBMAC1 with a key that can be guessed is refused`(keyByteCount: Int) throws {
        // With a key of one byte, a MAC that matches some password is easily found.
        let bytes = try Structure.pbmac1(Structure.plain(key, certificate), password: "", keyByteCount: keyByteCount)
        expect(.malformed) { () throws(IdentityError) in try read(bytes) }
    }

    @Test func `an archive may not ask for hours of hashing`() throws {
        let costly = try Structure.archive(
            Structure.encrypted([UInt8](repeating: 0, count: 8), algorithm: Structure.tripleDES(salt: [1], iterations: 100_000_000))
        )
        expect(.tooLarge) { () throws(IdentityError) in try read(costly) }
        // Smaller counts are also refused if there are too many of them.
        var budget = RoundBudget()
        for _ in 0..<4 { try budget.spend(1_000_000, for: 20, with: .sha1) }
        expect(.tooLarge) { () throws(IdentityError) in try budget.spend(1, for: 20, with: .sha1) }
    }

    @Test func `a code may not ask for hours of hashing`() throws {
        var bytes = try Structure.archive(Structure.plain(key, certificate), iterations: 70_000)
        let count: [UInt8] = [0x02, 0x03, 0x01, 0x11, 0x70]
        #expect(Array(bytes.suffix(5)) == count)
        bytes[bytes.count - 3] = 0x7F
        expect(.tooLarge) { () throws(IdentityError) in try read(bytes) }
    }

    @Test(arguments: [0, -1]) func `less than one iteration is none`(iterations: Int) throws {
        let bytes = try Structure.archive(
            Structure.encrypted([UInt8](repeating: 0, count: 8), algorithm: Structure.tripleDES(salt: [1], iterations: iterations)))
        expect(.malformed) { () throws(IdentityError) in try read(bytes) }
    }

    @Test func `too many certificates are too large`() throws {
        let many = [UInt8]((0..<101).flatMap { _ in certificate })
        let bytes = try Structure.archive(Structure.plain(key, many))
        expect(.tooLarge) { () throws(IdentityError) in try read(bytes) }
    }

    @Test func `a certificate that is none is left over`() throws {
        let bytes = try Structure.archive(Structure.plain(Structure.certificate([1, 2, 3]), key, certificate))
        let archive = try read(bytes)
        #expect(archive.identity == family.identity)
        #expect(archive.otherCertificates == [[1, 2, 3]])
    }
}
