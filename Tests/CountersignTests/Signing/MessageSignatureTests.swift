import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// HTTP Message Signatures with the request and the keys of RFC 9421, appendix B. Signatures of the other algorithms differ each
/// time, and are verified with the public key.
@Suite struct MessageSignatureTests {
    private static let sharedKey = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    private static let edwardsKey = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    private static let body = Array(#"{"hello": "world"}"#.utf8)
    private static let now = Date(timeIntervalSince1970: 1_618_884_473)

    private func request() -> HTTPRequest {
        var request = HTTPRequest(
            method: .post, scheme: "https", authority: "example.com", path: "/foo?param=Value&Pet=dog",
            headerFields: [
                .date: "Tue, 20 Apr 2021 02:07:55 GMT", .contentType: "application/json", .contentLength: "18",
            ])
        if let name = HTTPField.Name("Accept-Items") {
            request.headerFields[fields: name] = [HTTPField(name: name, value: "one"), HTTPField(name: name, value: " two ")]
        }
        return request
    }

    /// The two fields of a signed request.
    private func signed(
        _ signature: MessageSignature, _ request: HTTPRequest, _ values: [ProgramValue] = [], payload: RequestPayload = .bytes(body)
    ) throws -> (input: String, signature: String, request: HTTPRequest) {
        var request = request
        let signer = try #require(try signature.signer(values))
        signer.sign(&request, payload: payload, at: Self.now)
        let names = ["Signature-Input", "Signature"].compactMap { HTTPField.Name($0) }
        return (request.headerFields[names[0]] ?? "", request.headerFields[names[1]] ?? "", request)
    }

    @Test func `a request is signed with a shared key as in B.2.5`() throws {
        let (input, signature, _) = try signed(
            MessageSignature(
                .hmacSHA256, key: .text(Self.sharedKey), keyIdentifier: "test-shared-secret",
                components: ["date", "@authority", "content-type"], label: "sig-b25"), request())
        #expect(input == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#)
        #expect(signature == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
    }

    @Test func `a request is signed with Ed25519 as in B.2.6`() throws {
        let (input, signature, _) = try signed(
            MessageSignature(
                .ed25519, key: .text(Self.edwardsKey), keyIdentifier: "test-key-ed25519",
                components: ["date", "@method", "@path", "@authority", "content-type", "content-length"], label: "sig-b26"),
            request())
        #expect(
            input
                == #"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#
        )
        // Crypto's signatures of Ed25519 may differ from those of RFC 8032, so the signature is verified.
        let base = """
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@method": POST
            "@path": /foo
            "@authority": example.com
            "content-type": application/json
            "content-length": 18
            "@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"
            """
        let point = try #require(Data(base64Encoded: "JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="))
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: point)
        #expect(key.isValidSignature(try bytes(of: signature, "sig-b26"), for: Data(base.utf8)))
        let published = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
        #expect(key.isValidSignature(try #require(Data(base64Encoded: published)), for: Data(base.utf8)))
    }

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
        +QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
        oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
        gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
        Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
        aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
        2wIDAQAB
        -----END PUBLIC KEY-----
        """

    /// The signed components of B.2.1, B.2.2 and B.2.3, and their signatures.
    private static let published: [(components: [String], nonce: ProgramTemplate?, tag: ProgramTemplate?, signature: String)] = [
        (
            [], "b3k2pp5k7z-50gnwp.yemd", nil,
            "d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG"
                + "52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVro"
                + "gUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ"
                + "98Xw9Q=="
        ),
        (
            ["@authority", "content-digest", "@query-param;name=\"Pet\""], nil, "header-example",
            "LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB4+ECxCmT"
                + "8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBS"
                + "pqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTu"
                + "gEjHSw=="
        ),
        (
            ["date", "@method", "@path", "@query", "@authority", "content-type", "content-digest", "content-length"], nil, nil,
            "bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fU"
                + "xN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA"
                + "1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKE"
                + "gM4cUA=="
        ),
    ]

    /// RSA-PSS signatures differ each time, so the signatures of the RFC are verified for the signature base that is made here.
    @Test(arguments: 0..<3) func `what is signed by RSA is what the signatures in B.2.1 to B.2.3 are of`(_ number: Int) throws {
        let (components, nonce, tag, signature) = Self.published[number]
        var request = request()
        request.headerFields[try #require(HTTPField.Name("Content-Digest"))] =
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
        let own = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signer = try #require(
            try MessageSignature(
                .rsaPSS, key: .text(own.pemRepresentation), keyIdentifier: "test-key-rsa-pss", components: components, tag: tag,
                nonce: nonce.map { .given($0) }
            ).signer([]))
        let base = signer.base(of: request, at: Self.now).text
        let bytes = try #require(Data(base64Encoded: signature))
        let key = try _RSA.Signing.PublicKey(pemRepresentation: Self.publicKey)
        #expect(
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: bytes), for: SHA512.hash(data: Data(base.utf8)), padding: .PSS))
    }

    @Test func `a parameter of the query is written anew, and left out where it is not there once`() throws {
        let signature = MessageSignature(
            .hmacSHA256, key: .text(Self.sharedKey),
            components: [
                "@query-param;name=\"a b\"", "@query-param;name=\"twice\"", "@query-param;name=\"none\"", "@query-param;name=\"é\"",
            ])
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "example.com", path: "/?a+b=1%2b2+%27(x)&twice=1&twice=2&%C3%A9")
        let base = try #require(try signature.signer([])).base(of: request, at: Self.now).text
        #expect(
            base == """
                "@query-param";name="a%20b": 1%2B2%20'(x)
                "@query-param";name="%C3%A9": \("")
                "@signature-params": ("@query-param";name="a%20b" "@query-param";name="%C3%A9");created=1618884473
                """)
    }

    private func bytes(of signature: String, _ label: String) throws -> Data {
        try #require(Data(base64Encoded: String(signature.dropFirst(label.count + 2).dropLast())))
    }

    @Test func `every component has its value, and what a request lacks is left out`() throws {
        let key = P256.Signing.PrivateKey()
        let (input, signature, request) = try signed(
            MessageSignature(
                .ecdsaP256, key: .text(key.pemRepresentation), keyIdentifier: "a \"quoted\" \\ name",
                components: [
                    "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query", "accept-items",
                    "content-digest", "x-absent",
                ], lifetime: .seconds(300), tag: "demo"), request())
        let digest = "sha-256=:\(Data(SHA256.hash(data: Self.body)).base64EncodedString()):"
        #expect(HTTPField.Name("Content-Digest").flatMap { request.headerFields[$0] } == digest)
        let parameters =
            #"("@method" "@target-uri" "@authority" "@scheme" "@request-target" "@path" "@query" "accept-items" "content-digest");created=1618884473;expires=1618884773;keyid="a \"quoted\" \\ name";tag="demo""#
        #expect(input == "sig1=\(parameters)")
        let base = """
            "@method": POST
            "@target-uri": https://example.com/foo?param=Value&Pet=dog
            "@authority": example.com
            "@scheme": https
            "@request-target": /foo?param=Value&Pet=dog
            "@path": /foo
            "@query": ?param=Value&Pet=dog
            "accept-items": one, two
            "content-digest": \(digest)
            "@signature-params": \(parameters)
            """
        let made = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(of: signature, "sig1"))
        #expect(key.publicKey.isValidSignature(made, for: Data(base.utf8)))
    }

    @Test func `P-384 signs with SHA-384, dated by the server's clock, where there is no date`() throws {
        let key = P384.Signing.PrivateKey()
        var request = request()
        request.headerFields[.date] = nil
        let (input, signature, dated) = try signed(
            MessageSignature(.ecdsaP384, key: .text(key.pemRepresentation), components: ["date"], clock: 0), request,
            [.duration(.seconds(3600))])
        #expect(dated.headerFields[.date] == "Tue, 20 Apr 2021 03:07:53 GMT")
        #expect(input == #"sig1=("date");created=1618888073"#)
        let base = "\"date\": Tue, 20 Apr 2021 03:07:53 GMT\n\"@signature-params\": (\"date\");created=1618888073"
        let made = try P384.Signing.ECDSASignature(rawRepresentation: try bytes(of: signature, "sig1"))
        #expect(key.publicKey.isValidSignature(made, for: Data(base.utf8)))
    }

    @Test(arguments: [MessageSignature.Algorithm.rsaPSS, .rsaPKCS1]) func `RSA signs by PSS with SHA-512, or as in PKCS #1`(
        algorithm: MessageSignature.Algorithm
    ) throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let (input, signature, _) = try signed(
            MessageSignature(algorithm, key: .text(key.pemRepresentation), components: ["@method", "date"]), request())
        #expect(input == #"sig1=("@method" "date");created=1618884473"#)
        let base = Data(
            """
            "@method": POST
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@signature-params": ("@method" "date");created=1618884473
            """.utf8)
        let made = _RSA.Signing.RSASignature(rawRepresentation: try bytes(of: signature, "sig1"))
        let isValid =
            algorithm == .rsaPSS
            ? key.publicKey.isValidSignature(made, for: SHA512.hash(data: base), padding: .PSS)
            : key.publicKey.isValidSignature(made, for: SHA256.hash(data: base), padding: .insecurePKCS1v1_5)
        #expect(isValid)
    }

    @Test func `an authority is in lower case and without the scheme's own port; an empty query is a question mark`() throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "EXAMPLE.com:443", path: "/")
        let (_, signature, _) = try signed(
            MessageSignature(.hmacSHA256, key: .text(Self.sharedKey), components: ["@authority", "@query"]), request)
        let base =
            "\"@authority\": example.com\n\"@query\": ?\n\"@signature-params\": (\"@authority\" \"@query\");created=1618884473"
        let key = SymmetricKey(data: try #require(Data(base64Encoded: Self.sharedKey)))
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(try bytes(of: signature, "sig1"), authenticating: Data(base.utf8), using: key))
    }

    @Test func `the URL of a request is signed with the scheme and the authority that a server sees`() throws {
        let request = HTTPRequest(method: .get, scheme: "HTTPS", authority: "EXAMPLE.com:443", path: "/A?b=C")
        let (_, signature, _) = try signed(
            MessageSignature(.hmacSHA256, key: .text(Self.sharedKey), components: ["@target-uri"]), request)
        let base = "\"@target-uri\": https://example.com/A?b=C\n\"@signature-params\": (\"@target-uri\");created=1618884473"
        let key = SymmetricKey(data: try #require(Data(base64Encoded: Self.sharedKey)))
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(try bytes(of: signature, "sig1"), authenticating: Data(base.utf8), using: key))
    }

    @Test func `a digest that the application has made is the one that is signed`() throws {
        var request = request()
        let name = try #require(HTTPField.Name("Content-Digest"))
        request.headerFields[name] = "sha-512=:AAAA:"
        let (_, signature, made) = try signed(
            MessageSignature(.hmacSHA256, key: .text(Self.sharedKey), components: ["content-digest"]), request)
        #expect(made.headerFields[values: name] == ["sha-512=:AAAA:"])
        let base = "\"content-digest\": sha-512=:AAAA:\n\"@signature-params\": (\"content-digest\");created=1618884473"
        let key = SymmetricKey(data: try #require(Data(base64Encoded: Self.sharedKey)))
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(try bytes(of: signature, "sig1"), authenticating: Data(base.utf8), using: key))
    }

    @Test func `no two signatures have the same nonce`() throws {
        let signature = MessageSignature(.hmacSHA256, key: .text(Self.sharedKey), components: ["@method"], nonce: .random)
        let inputs = try (0..<2).map { _ in try signed(signature, request()).input }
        #expect(inputs[0].contains(";nonce=\""))
        #expect(inputs[0] != inputs[1])
    }

    @Test(arguments: [(ProgramValue.text("a \"nonce\""), #";nonce="a \"nonce\"""#), (.absent, "")])
    func `a nonce that the server has said is signed, where there is one`(value: ProgramValue, said: String) throws {
        let signature = MessageSignature(
            .hmacSHA256, key: .text(Self.sharedKey), keyIdentifier: "key", components: ["@method"], tag: "t",
            nonce: .given(.slot(0)))
        let (input, _, _) = try signed(signature, request(), [value])
        #expect(input == #"sig1=("@method");created=1618884473;keyid="key"\#(said);tag="t""#)
    }

    @Test(arguments: [
        (MessageSignature.Algorithm.hmacSHA256, "no base64"), (.hmacSHA256, ""), (.ecdsaP256, edwardsKey),
        (.ecdsaP384, P256.Signing.PrivateKey().pemRepresentation), (.ed25519, P256.Signing.PrivateKey().pemRepresentation),
        (.rsaPSS, "c4n4ry"), (.rsaPKCS1, P256.Signing.PrivateKey().pemRepresentation), (.ed25519, "c4n4ry"),
        (.ed25519, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"),
    ])
    func `a text that is no key for the algorithm is an error without the text`(
        algorithm: MessageSignature.Algorithm, key: String
    ) {
        let error = #expect(throws: CountersignError.self) {
            try MessageSignature(algorithm, key: .text(key), components: ["@method"]).signer([])
        }
        #expect(error?.code == .invalidRequest)
        #expect(!String(reflecting: error).contains("c4n4ry"))
    }

    @Test func `a name that no structured field can have is an error`() {
        #expect(throws: CountersignError.self) {
            try MessageSignature(
                .hmacSHA256, key: .text(Self.sharedKey), keyIdentifier: "schlüssel", components: ["@method"]
            ).signer([])
        }
    }
}
