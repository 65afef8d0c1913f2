import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The Digest scheme with the examples of its standards.
@Suite("Digest") struct DigestSignerTests {
    private func challenge(_ text: String) throws -> DigestChallenge {
        try #require(DigestChallenge.strongest(AuthenticationChallengeParser.challenges(in: [text])))
    }

    private func parameters(_ signer: DigestSigner, _ path: String = "/dir/index.html") throws -> AuthenticationChallenge {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "www.example.org", path: path)
        return try #require(AuthenticationChallengeParser.challenges(in: [signer.field(for: request).value]).first)
    }

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ]) func `RFC 7616, section 3_9_1`(_ algorithm: String, _ response: String) throws {
        let challenge = try challenge(
            """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """)
        let signer = DigestSigner(
            challenge, user: "Mufasa", password: "Circle of Life", clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        let answer = try parameters(signer)
        #expect(answer["response"] == response)
        #expect(answer["username"] == "Mufasa")
        #expect(answer["uri"] == "/dir/index.html")
        #expect(answer["nc"] == "00000001")
        #expect(answer["qop"] == "auth")
        #expect(answer["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
        #expect(try parameters(signer)["nc"] == "00000002")
    }

    @Test func `RFC 2617, section 3_5`() throws {
        let challenge = try challenge(
            """
            Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """)
        let signer = DigestSigner(challenge, user: "Mufasa", password: "Circle Of Life", clientNonce: "0a4f113b")
        let answer = try parameters(signer)
        #expect(answer["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(answer["algorithm"] == nil, "the server named none")
    }

    @Test func `a server that counts nothing gets an answer without a count`() throws {
        let signer = DigestSigner(
            try challenge(#"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#), user: "Mufasa",
            password: "Circle Of Life")
        let answer = try parameters(signer)
        // The value of RFC 2069's formula, computed with md5sum.
        #expect(answer["response"] == "670fd8c2df070c60b045671b8b24ff02")
        #expect(answer["nc"] == nil && answer["cnonce"] == nil && answer["qop"] == nil)
    }

    @Test func `the strongest of several is answered`() throws {
        let offered = AuthenticationChallengeParser.challenges(in: [
            #"Digest realm="a", nonce="1", algorithm=MD5, qop="auth""#, #"Basic realm="a""#,
            #"Digest realm="a", nonce="2", algorithm=SHA-512-256, qop="auth""#,
            #"Digest realm="a", nonce="3", algorithm=SHA-256, qop="auth""#,
            #"Digest realm="a", nonce="4", algorithm=SHA-256-sess, qop="auth""#,
        ])
        #expect(DigestChallenge.strongest(offered)?.nonce == "3")
    }

    @Test(arguments: [
        #"Digest realm="a", nonce="1", algorithm=SHA-512-256, qop="auth""#, #"Digest realm="a", nonce="1", qop="auth-int""#,
        #"Digest realm="a", nonce="", qop="auth""#, #"Digest nonce="1", qop="auth""#,
        #"Digest realm="a", nonce="1", algorithm=MD5-sess"#,
        #"Basic realm="a", nonce="1""#,
    ]) func `what cannot be answered is no challenge`(_ text: String) {
        #expect(DigestChallenge.strongest(AuthenticationChallengeParser.challenges(in: [text])) == nil)
    }

    @Test func `names are quoted, encoded or hashed`() throws {
        func field(_ user: String, _ more: String = "") throws -> String {
            let signer = DigestSigner(
                try challenge(#"Digest realm="api@example.org", nonce="n", algorithm=SHA-256, qop="auth"\#(more)"#), user: user,
                password: "x", clientNonce: "c")
            return signer.field(for: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")).value
        }
        #expect(try field(#"a"b\c"#).hasPrefix(#"Digest username="a\"b\\c", "#))
        #expect(try field("Jäsøn Doe").hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "))
        let hashed = try field("Jäsøn Doe", ", userhash=true")
        #expect(!hashed.contains("J%C3%A4") && hashed.hasSuffix(", userhash=true"))
    }

    @Test func `the server's next nonce is counted from one`() throws {
        let signer = DigestSigner(try challenge(#"Digest realm="a", nonce="1", qop="auth""#), user: "u", password: "p")
        _ = try parameters(signer)
        var response = HTTPResponse(status: .ok)
        response.headerFields[try #require(HTTPField.Name("Authentication-Info"))] = #"rspauth="00", nextnonce="2", nc=00000001"#
        signer.note(response)
        signer.note(response)
        let answer = try parameters(signer)
        #expect(answer["nonce"] == "2" && answer["nc"] == "00000001")
    }

    @Test func `a nonce that a slow response names again is counted on`() throws {
        let signer = DigestSigner(try challenge(#"Digest realm="a", nonce="1", qop="auth""#), user: "u", password: "p")
        func name(_ nonce: String) throws {
            var response = HTTPResponse(status: .ok)
            response.headerFields[try #require(HTTPField.Name("Authentication-Info"))] = #"nextnonce="\#(nonce)""#
            signer.note(response)
        }
        func counts() throws -> String {
            let answer = try parameters(signer)
            return "\(answer["nonce"] ?? "") \(answer["nc"] ?? "")"
        }
        #expect(try counts() == "1 00000001")
        try name("2")
        #expect(try counts() == "2 00000001")
        try name("3")
        #expect(try counts() == "3 00000001")
        try name("2")
        #expect(try counts() == "2 00000002")
        try name("1")
        #expect(try counts() == "1 00000002")
        for number in 10..<200 {
            try name("\(number)")
            #expect(try counts() == "\(number) 00000001")
        }
    }

    @Test func `nothing prints a password`() throws {
        let signer = DigestSigner(try challenge(#"Digest realm="a", nonce="1", qop="auth""#), user: "alice", password: "hunter2")
        var text = "\(signer) \(String(reflecting: signer))"
        dump(signer, to: &text)
        #expect(!text.contains("hunter2") && !text.contains("alice"))
    }
}
