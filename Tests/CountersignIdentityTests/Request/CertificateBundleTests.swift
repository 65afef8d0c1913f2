import Countersign
import CountersignIdentity
import Foundation
import TestTurns
import Testing

/// The responses of authorities, as OpenSSL writes them and in parts.
@Suite(.computes) struct `Certificates of an authority` {
    typealias Family = TestIdentity.Family

    static let signedData = Structure.element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])

    /// Makes a message that contains only certificates (RFC 5652, section 5.1), in DER.
    static func message(_ certificates: [UInt8]...) -> [UInt8] {
        let set = certificates.isEmpty ? [] : Structure.tagged(certificates.flatMap(\.self))
        return Structure.sequence(
            signedData,
            Structure.tagged(
                Structure.sequence(
                    Structure.integer(1), Structure.element(0x31, []), Structure.sequence(Structure.data), set,
                    Structure.element(0x31, []))))
    }

    /// Makes the message in BER: the elements around the certificates have indefinite lengths, as streaming writers make them.
    static func indefiniteMessage(_ certificates: [UInt8]...) -> [UInt8] {
        func open(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] { [tag, 0x80] + parts.flatMap(\.self) + [0, 0] }
        return open(
            0x30, signedData,
            open(
                0xA0,
                open(
                    0x30, Structure.integer(1), open(0x31), open(0x30, Structure.data), open(0xA0, certificates.flatMap(\.self)),
                    open(0x31))))
    }

    /// Encodes bytes in base64 with line breaks.
    private func base64(_ bytes: [UInt8], _ lineLength: Int, _ ending: String = "\n") -> String {
        let text = Array<Character>(Data(bytes).base64EncodedString())
        return stride(from: 0, to: text.count, by: lineLength).map { String(text[$0..<min(text.count, $0 + lineLength)]) + ending }
            .joined()
    }

    private func pem(_ label: String, _ bytes: [UInt8], lineLength: Int = 64, ending: String = "\n") -> String {
        "-----BEGIN \(label)-----\(ending)\(base64(bytes, lineLength, ending))-----END \(label)-----\(ending)"
    }

    private func read(_ bytes: [UInt8]) throws(IdentityError) -> [[UInt8]] { try CertificateBundle(reading: bytes).certificates }
    private func read(_ text: String) throws(IdentityError) -> [[UInt8]] { try CertificateBundle(reading: text).certificates }

    // MARK: Forms

    @Test(.enabled(if: OpenSSL.isExpected), arguments: ["DER", "PEM"])
    func `OpenSSL's messages are read, and make an identity`(form: String) throws {
        let family = try Family()
        let chain = family.identity.certificateChain
        let files = ["all.pem": chain.flatMap(TestIdentity.pem)]
        let message = try OpenSSL.output(["crl2pkcs7", "-nocrl", "-certfile", "all.pem", "-outform", form], files: files)
        let certificates = try read(message)
        #expect(Set(certificates) == Set(chain))
        #expect(certificates.count == 3)
        let identity = try ClientIdentity(certificates: certificates, privateKey: family.identity.privateKey)
        #expect(identity == family.identity)
        #expect(identity.certificateChain == chain)
        // Reads text, too, and base64 with any line breaks.
        if form == "PEM" {
            #expect(try read(String(decoding: message, as: UTF8.self)) == certificates)
        } else {
            for text in [base64(message, 76, "\r\n"), base64(message, .max / 2), " " + base64(message, 64) + "\n\n"] {
                #expect(try read(text) == certificates)
            }
        }
    }

    @Test(.enabled(if: OpenSSL.isExpected)) func `OpenSSL's output for a certificate is read`() throws {
        let leaf = try Family().leaf
        let der = ["-in", "one.der", "-inform", "DER"]
        for arguments in [["-outform", "DER"], ["-outform", "PEM"], ["-text"], ["-subject", "-issuer", "-dates"]] {
            let bytes = try OpenSSL.output(["x509"] + der + arguments, files: ["one.der": leaf])
            #expect(try read(bytes) == [leaf], "\(arguments)")
        }
        // With OpenSSL's own additions after the certificate it is another structure, with another label.
        let trusted = try OpenSSL.output(["x509"] + der + ["-trustout"], files: ["one.der": leaf])
        #expect(String(decoding: trusted, as: UTF8.self).contains("TRUSTED"))
        expect(.noCertificate) { () throws(IdentityError) in try read(trusted) }
    }

    @Test(.enabled(if: OpenSSL.isExpected)) func `a message with a signer, content and no certificate of another kind is read`()
        throws
    {
        let family = try Family()
        let files = [
            "leaf.pem": TestIdentity.pem(family.leaf), "key.pem": family.identity.privateKey.pem.bytes,
            "content": Array("content".utf8),
        ]
        for form in [["-outform", "DER"], ["-outform", "PEM"], ["-outform", "DER", "-stream", "-indef"]] {
            let message = try OpenSSL.output(
                ["cms", "-sign", "-nodetach", "-in", "content", "-signer", "leaf.pem", "-inkey", "key.pem"] + form, files: files)
            #expect(try read(message) == [family.leaf], "\(form)")
        }
        let encrypted = try OpenSSL.output(
            [
                "cms", "-encrypt", "-in", "content", "-outform", "DER", "-secretkey", "000102030405060708090a0b0c0d0e0f",
                "-secretkeyid", "01",
            ],
            files: files)
        expect(.unsupported) { () throws(IdentityError) in try read(encrypted) }
    }

    @Test func `messages are read in BER as in DER, and keep their order`() throws {
        let family = try Family()
        let chain = family.identity.certificateChain
        #expect(try read(Self.message(chain[2], chain[0], chain[1])) == [chain[2], chain[0], chain[1]])
        #expect(try read(Self.indefiniteMessage(chain[2], chain[0], chain[1])) == [chain[2], chain[0], chain[1]])
        // An attribute certificate and a certificate of a foreign form, which are tagged, are no certificates.
        #expect(try read(Self.message(Structure.element(0xA1, []), chain[0], Structure.element(0xA3, []))) == [chain[0]])
    }

    @Test func `a certificate that is not DER is damaged, whatever is around it`() throws {
        let leaf = try Family().leaf
        expect(.malformed) { () throws(IdentityError) in try read(Structure.indefinite(leaf)) }
        expect(.malformed) { () throws(IdentityError) in try read(Self.indefiniteMessage(Structure.indefinite(leaf))) }
    }

    @Test func `PEM is read with everything that others write into it`() throws {
        let family = try Family()
        let (leaf, authority, root) = (family.leaf, try family.authority.der, try family.root.der)
        let text =
            "Dear Ada,\r\n 0 s:CN = Ada\r\n" + pem("CERTIFICATE", leaf, ending: " \r\n") + "0 s:CN = Clients\n"
            + pem("PRIVATE KEY", [1, 2, 3]) + pem("TRUSTED CERTIFICATE", root) + pem("X509 CERTIFICATE", authority, lineLength: 76)
            + "-----BEGIN NOTHING-----\n" + pem("PKCS7", Self.message(root)) + pem("CMS", Self.indefiniteMessage(leaf))
            + pem("CERTIFICATE", Self.message(authority), lineLength: 4000, ending: "\r") + "-- \nThe authority"
        #expect(try read(text) == [leaf, authority, root, leaf, authority])
        #expect(try read("0" + text) == [leaf, authority, root, leaf, authority])
        #expect(try CertificateBundle(reading: Data(text.utf8)).certificates.count == 5)
    }

    @Test func `an old authority's certificate of the first version is read`() throws {
        let name = Structure.sequence()
        let content = Structure.sequence(Structure.integer(1), name, name, name, name, name)
        let certificate = Structure.sequence(
            content, Structure.sequence(), Structure.element(0x03, [0] + [UInt8](repeating: 7, count: 128)))
        #expect(try read(certificate) == [certificate])
    }

    // MARK: Errors

    @Test func `an answer that ends early is distinguished from a damaged one`() throws {
        let leaf = try Family().leaf
        let (block, message) = (pem("CERTIFICATE", leaf), Self.message(leaf))
        for bytes in [
            Array(leaf.dropLast()), Array(leaf.prefix(3)), Array(message.dropLast()),
            Array(Self.indefiniteMessage(leaf).dropLast()),
        ] {
            expect(.truncated) { () throws(IdentityError) in try read(bytes) }
        }
        expect(.truncated) { () throws(IdentityError) in try read(String(block.dropLast(30))) }
        expect(.truncated) { () throws(IdentityError) in try read(pem("CERTIFICATE", leaf.dropLast())) }
        expect(.truncated) { () throws(IdentityError) in try read(block + String(block.prefix(100))) }
    }

    @Test func `what is no certificate is an error`() throws {
        let family = try Family()
        let key = family.identity.privateKey
        let request = try CertificateRequest(subject: CertificateSubject("CN=Ada"), key: key)
        let block = pem("CERTIFICATE", family.leaf)
        for bytes in [
            request.der, key.pkcs8.bytes, family.leaf + [0], Structure.sequence(Self.signedData), Structure.sequence(),
            Structure.sequence(Self.signedData, Structure.tagged(Structure.sequence(Structure.integer(1)))),
        ] {
            expect(.malformed) { () throws(IdentityError) in try read(bytes) }
            expect(.malformed) { () throws(IdentityError) in try read(pem("CERTIFICATE", bytes)) }
        }
        for text in [
            "<html>Not today</html>", "MIIB!", pem("CERTIFICATE", []).replacing("\n-----END", with: "\n====\n-----END"),
            block.replacing("END CERTIFICATE", with: "END PKCS7"),
            block.replacing("-----END", with: "Proc-Type: 4,ENCRYPTED\n-----END"),
        ] {
            expect(.malformed) { () throws(IdentityError) in try read(text) }
        }
    }

    @Test func `an answer without a certificate says so`() throws {
        for text in ["", " \r\n", pem("CERTIFICATE REQUEST", [1]), pem("PKCS7", Self.message())] {
            expect(.noCertificate) { () throws(IdentityError) in try read(text) }
        }
        for bytes in [Self.message(), Self.indefiniteMessage()] {
            expect(.noCertificate) { () throws(IdentityError) in try read(bytes) }
        }
    }

    @Test func `a hundred certificates and a mebibyte are read, and not one more`() throws {
        let leaf = try Family().leaf
        let block = pem("CERTIFICATE", leaf)
        #expect(try read(String(repeating: block, count: 100)).count == 100)
        expect(.tooLarge) { () throws(IdentityError) in try read(String(repeating: block, count: 101)) }
        let many = Self.message(Array(repeatElement(leaf, count: 101).joined()))
        expect(.tooLarge) { () throws(IdentityError) in try read(many) }
        let mebibyte = 1024 * 1024
        #expect(try read(block + String(repeating: " ", count: mebibyte - block.utf8.count)) == [leaf])
        expect(.tooLarge) { () throws(IdentityError) in
            try read(block + String(repeating: " ", count: mebibyte + 1 - block.utf8.count))
        }
    }

    @Test func `an answer full of the smallest elements, or nested deeply, is refused`() {
        let small = [UInt8](repeating: 0x05, count: 1024 * 1024 - 8).enumerated().map {
            $0.offset.isMultiple(of: 2) ? $0.element : 0
        }
        let deep = (0..<1000).reduce([UInt8]()) { bytes, _ in Structure.sequence(bytes) }
        for bytes in [
            Structure.sequence(small), deep, [UInt8](repeating: 0x30, count: 1024 * 1024), Self.message(Structure.sequence(small)),
        ] {
            #expect(throws: IdentityError.self) { try read(bytes) }
        }
        #expect(throws: IdentityError.self) { try read(String(repeating: "-", count: 1024 * 1024)) }
        #expect(throws: IdentityError.self) { try read(String(repeating: "-----BEGIN CERTIFICATE-----\n", count: 30_000)) }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5]) func `a damaged answer is certificates or an error`(seed: UInt64) throws {
        let chain = try TestIdentity.unchanging().certificateChain
        let answer =
            switch seed {
            case 1: chain[0]
            case 2: Self.message(chain[0], chain[1])
            case 3: Self.indefiniteMessage(chain[0], chain[1])
            case 4: chain.flatMap(TestIdentity.pem)
            default: Array(base64(Self.message(chain[0], chain[1]), 64).utf8)
            }
        var generator = `Hostile archives`.SeededGenerator(state: seed)
        var outcomes: [String: Int] = [:]
        let key = try TestIdentity.unchanging().privateKey
        for _ in 0..<800 {
            let damaged = generator.damage(answer)
            do throws(IdentityError) {
                let certificates = try read(damaged)
                #expect(!certificates.isEmpty)
                outcomes["read", default: 0] += 1
                _ = try? ClientIdentity(certificates: certificates, privateKey: key)
            } catch {
                outcomes[error.code.rawValue, default: 0] += 1
            }
        }
        for code in ["read", IdentityError.Code.malformed.rawValue, IdentityError.Code.truncated.rawValue] {
            #expect(outcomes[code] != nil, "the damage reached too little: \(outcomes)")
        }
    }

    // MARK: Descriptions

    @Test func `a bundle shows how many there are, and no byte of them`() throws {
        let bundle = try CertificateBundle(reading: Family().leaf)
        var dumped = ""
        dump(bundle, to: &dumped)
        #expect("\(bundle)" == "CertificateBundle(1 certificates)")
        #expect(dumped.split(separator: "\n").count == 2, "\(dumped)")
    }
}
