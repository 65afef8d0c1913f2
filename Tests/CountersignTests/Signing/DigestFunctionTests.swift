import Foundation
import Testing

@testable import Countersign

/// Hashes and message authentication codes with the vectors of RFC 4231 and FIPS 180, and times in the formats of standards.
@Suite struct DigestFunctionTests {
    private func text(
        _ algorithm: DigestFunction.Algorithm, _ message: String, key: String? = nil,
        _ keyEncoding: DigestFunction.KeyEncoding = .text,
        as encoding: DigestFunction.Encoding = .hex
    ) throws -> String? {
        try DigestFunction(
            algorithm, of: .text(message), key: key.map { .text($0) }, keyEncoding: keyEncoding, as: encoding
        ).text([])
    }

    @Test func `a hash is that of the standard`() throws {
        #expect(try text(.sha256, "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            try text(.sha384, "abc")
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(
            try text(.sha512, "abc")
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
        #expect(try text(.sha256, "abc", as: .base64) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        #expect(try text(.sha256, "abc", as: .base64url) == "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
    }

    @Test func `a code is that of RFC 4231, section 4.3, however its key is written`() throws {
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        let message = "what do ya want for nothing?"
        #expect(try text(.sha256, message, key: "Jefe") == expected)
        #expect(try text(.sha256, message, key: "4a656665", .hex) == expected)
        #expect(try text(.sha256, message, key: "4A656665", .hex) == expected)
        #expect(try text(.sha256, message, key: "SmVmZQ==", .base64) == expected)
        #expect(
            try text(.sha384, message, key: "Jefe")
                == "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649")
        #expect(
            try text(.sha512, message, key: "Jefe")
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        )
    }

    @Test(arguments: [
        (DigestFunction.KeyEncoding.hex, "4a6"), (.hex, "4a 6"), (.hex, "zz"), (.hex, "+1"), (.base64, "SmVmZQ"), (.base64, "****"),
    ])
    func `a key that is not written as it has to be is an error`(encoding: DigestFunction.KeyEncoding, key: String) {
        #expect(throws: CountersignError.self) { try text(.sha256, "abc", key: key, encoding) }
    }

    @Test func `without a value there is no digest`() throws {
        #expect(try DigestFunction(.sha256, of: .slot(0)).text([.absent]) == nil)
        #expect(try DigestFunction(.sha256, of: .request(.body)).text([]) == nil)
    }

    @Test(arguments: [
        // RFC 4648, section 10.
        ("foobar", "666f6f626172", "Zm9vYmFy", "Zm9vYmFy"), ("fo", "666f", "Zm8=", "Zm8"), ("", "", "", ""),
        ("ü?>", "c3bc3f3e", "w7w/Pg==", "w7w_Pg"),
    ])
    func `a text is encoded from its UTF-8 bytes`(text: String, hex: String, base64: String, base64URL: String) {
        let bytes = Array(text.utf8)
        #expect(DigestFunction.Encoding.hex.text(bytes) == hex)
        #expect(DigestFunction.Encoding.base64.text(bytes) == base64)
        #expect(DigestFunction.Encoding.base64url.text(bytes) == base64URL)
    }

    @Test func `a time is written as standards have it`() {
        // The example of RFC 9110, section 5.6.7.
        let date = Date(timeIntervalSince1970: 784_111_777.25)
        #expect(TimeFormat.http.text(date) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(TimeFormat.rfc3339.text(date) == "1994-11-06T08:49:37Z")
        #expect(TimeFormat.unix.text(date) == "784111777")
        #expect(TimeFormat.unixMilliseconds.text(date) == "784111777250")
        #expect(TimeFormat.http.text(Date(timeIntervalSince1970: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(TimeFormat.http.text(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }
}
