import CountersignIdentity
import Foundation
import TestTurns
import Testing

@Suite(.computes) struct `Certificate subjects` {
    @Test(arguments: [
        // RFC 4514, section 4
        ("UID=jsmith,DC=example,DC=net", "UID=jsmith,DC=example,DC=net"),
        ("OU=Sales+CN=J.  Smith,DC=example,DC=net", "OU=Sales+CN=J.  Smith,DC=example,DC=net"),
        (#"CN=James \"Jim\" Smith\, III,DC=example,DC=net"#, #"CN=James \"Jim\" Smith\, III,DC=example,DC=net"#),
        (#"CN=Lu\C4\8Di\C4\87"#, "CN=Lučić"),
        // Usual spellings
        ("cn = Ada Lovelace , o = Example\\, Ltd. , c = GB", #"CN=Ada Lovelace,O=Example\, Ltd.,C=GB"#),
        ("2.5.4.3=Ada", "CN=Ada"),
        (#"CN=\ Ada\ "#, #"CN=\ Ada\ "#),
        ("CN=\\#1", "CN=\\#1"),
        ("E=ada@example.org,CN=Ada", "E=ada@example.org,CN=Ada"),
        ("CN=a=b", "CN=a=b"),
        ("", ""),
    ])
    func `the text form is read`(text: String, expected: String) throws {
        let subject = try CertificateSubject(text)
        let shown = subject.description.replacing("0.9.2342.19200300.100.1.1=", with: "UID=")
        // Attributes of one level have the order of their encoding.
        #expect(
            shown.split(separator: ",").map { $0.split(separator: "+").sorted() }
                == expected.split(separator: ",").map { $0.split(separator: "+").sorted() })
    }

    @Test func `a value may be written as its encoding`() throws {
        // RFC 4514, section 4: an OCTET STRING of two bytes.
        let subject = try CertificateSubject("1.3.6.1.4.1.1466.0=#04024869")
        #expect(!subject.isEmpty)
        #expect(try CertificateSubject("CN=#0C03416461").description == "CN=Ada")
    }

    @Test func `a list gives the same as the text`() throws {
        let list = try CertificateSubject([(.commonName, "Ada"), (.organization, "Example, Ltd."), (.country, "GB")])
        #expect(list == (try CertificateSubject(#"CN=Ada,O=Example\, Ltd.,C=GB"#)))
    }

    @Test(arguments: [
        "Ada", "CN", "=Ada", "CN=", "CN=Ada,", "CN=Ada,,O=x", "CN=Ada+", "XX=Ada", "CN=Ada;O=x", "CN=\"Ada\"", "CN=<Ada>",
        #"CN=Ada\"#,
        #"CN=\C4"#, #"CN=\zz"#, "CN=#zz", "CN=#", "CN=#0C0341", "C=GBR", "C=Ö", "DC=ö", "CN=a\0b", #"CN=\00"#,
        "9999999999999999999.1=x",
        "3.1=x", "1.40=x", "1=x", "2.99999999999=x", "1..2=x", " ,CN=Ada",
    ])
    func `what is no name is refused`(text: String) {
        expect(.malformedSubject) { () throws(IdentityError) in try CertificateSubject(text) }
    }

    @Test func `long names are refused`() {
        expect(.malformedSubject) { () throws(IdentityError) in try CertificateSubject("CN=" + String(repeating: "a", count: 5000))
        }
    }

    @Test func `the reader survives damaged names`() {
        var generator = `Hostile archives`.SeededGenerator(state: 7)
        let text = Array(#"CN=James \"Jim\" Smith\, III+UID=j\C4\8D,1.3.6.1.4.1.1466.0=#04024869,DC=example,C=GB"#.utf8)
        var read = 0
        for _ in 0..<5000 {
            if (try? CertificateSubject(String(decoding: generator.damage(text), as: UTF8.self))) != nil { read += 1 }
        }
        #expect((1..<5000).contains(read))
    }
}
