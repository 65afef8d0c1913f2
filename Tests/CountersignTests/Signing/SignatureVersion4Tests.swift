import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// AWS Signature Version 4. The values of Amazon's published test suite have its names, and the others were computed by botocore
/// 1.43.
struct SignatureVersion4Tests {
    private static let moment = Date(timeIntervalSince1970: 1_440_938_160)  // 2015-08-30T12:36:00Z

    private static func signer(_ service: String = "service", session: String? = nil) -> SignatureVersion4Signer {
        SignatureVersion4Signer(
            identifier: "AKIDEXAMPLE", key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", session: session, region: "us-east-1",
            service: service)
    }

    private static func request(
        _ method: HTTPRequest.Method, _ path: String, host: String = "example.amazonaws.com", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: host, path: path, headerFields: fields)
    }

    @Test(arguments: [
        ("get-vanilla", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("two names", "/?Param2=value2&Param1=value1", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        ("one name twice", "/?Param1=value2&Param1=Value1", "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        ("UTF-8 in the query", "/?%E1%88%B4=bar", "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        ("get-slashes", "//example//", "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        ("a space that is encoded", "/example%20space/", "446b817944c553435b35e813c261ff4e161fff982d1bacdef1c87f6785dd1662"),
        ("dots", "/example/.././a/", "694bece1403759d9292850e34a43c38b7accb0d27abd33d0f0c4dd5136372da1"),
    ])
    func `a GET is signed in header fields`(_ name: String, _ path: String, _ signature: String) {
        var request = Self.request(.get, path)
        Self.signer().sign(&request, payload: .bytes([]), at: Self.moment)
        let scope = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
        #expect(
            request.headerFields[.authorization]
                == "AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=host;x-amz-date, Signature=\(signature)", "\(name)")
        #expect(request.path == path)
    }

    @Test func `a request is signed in its query, as Amazon's example of that is`() {
        var signer = SignatureVersion4Signer(
            identifier: "AKIAIOSFODNN7EXAMPLE", key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", session: nil, region: "us-east-1",
            service: "s3")
        signer.lifetimeInQuery = .seconds(86_400)
        var request = Self.request(.get, "/test.txt", host: "examplebucket.s3.amazonaws.com")
        signer.sign(&request, payload: .bytes([]), at: Date(timeIntervalSince1970: 1_369_353_600))
        #expect(
            request.path
                == "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
        #expect(request.headerFields.isEmpty)
    }

    @Test func `an existing query is signed with what is added, and a session token is in it`() throws {
        var signer = Self.signer(session: "a/token+of=theirs")
        signer.lifetimeInQuery = .seconds(60)
        var request = Self.request(.get, "/list?b=2&a=x%20y")
        signer.sign(&request, payload: .bytes([]), at: Self.moment)
        let path = try #require(request.path)
        #expect(path.hasPrefix("/list?b=2&a=x%20y&X-Amz-Algorithm=AWS4-HMAC-SHA256&"))
        #expect(path.contains("&X-Amz-Security-Token=a%2Ftoken%2Bof%3Dtheirs&X-Amz-Signature="))
        var other = Self.request(.get, "/list?b=2&a=x%20z")
        signer.sign(&other, payload: .bytes([]), at: Self.moment)
        #expect(path.suffix(64) != other.path?.suffix(64))
        var more = Self.request(.post, "/list?b=2&a=x%20y")
        signer.sign(&more, payload: .bytes([1]), at: Self.moment)
        #expect(path.suffix(64) != more.path?.suffix(64))
    }

    @Test func `a body is signed, and the type of it`() {
        var request = Self.request(.post, "/", [.contentType: "application/x-www-form-urlencoded"])
        Self.signer().sign(&request, payload: .bytes(Array("Param1=value1".utf8)), at: Self.moment)
        // post-x-www-form-urlencoded
        #expect(
            request.headerFields[.authorization]?.hasSuffix(
                "SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
            ) == true)
    }

    @Test func `temporary keys show their session token`() {
        var request = Self.request(.post, "/")
        let token =
            "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="
        Self.signer(session: token).sign(&request, payload: .bytes([]), at: Self.moment)
        // post-sts-header-before
        #expect(
            request.headerFields[.authorization]?.hasSuffix(
                "host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead")
                == true)
    }

    @Test func `S3 gets the hash of a body, and paths as they are`() {
        var request = Self.request(.put, "/K%C3%A4se%20%26%20Brot/a%2Bb%20c~.txt?x=%20y&uploads")
        Self.signer("s3").sign(&request, payload: .bytes(Array("Welcome".utf8)), at: Self.moment)
        #expect(
            request.headerFields[.authorization]?.hasSuffix(
                "host;x-amz-content-sha256;x-amz-date, Signature=cae444c2d20fe95cfb8e71f58d4d7fe9a41010e86088b0c45a46ffb4e33a2317")
                == true)
    }

    @Test(arguments: [
        ("https", "EXAMPLE.amazonaws.com"), ("https", "example.amazonaws.com:443"), ("HTTPS", "Example.amazonaws.com:443"),
        ("http", "example.amazonaws.com:80"),
    ])
    func `a host is signed as transports send it`(scheme: String, host: String) {
        var request = HTTPRequest(method: .get, scheme: scheme, authority: host, path: "/")
        Self.signer().sign(&request, payload: .bytes([]), at: Self.moment)
        // get-vanilla
        let signature = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        #expect(request.headerFields[.authorization]?.hasSuffix("SignedHeaders=host;x-amz-date, Signature=\(signature)") == true)
    }

    @Test func `a port of its own is signed with the host`() {
        var plain = Self.request(.get, "/")
        Self.signer().sign(&plain, payload: .bytes([]), at: Self.moment)
        var other = Self.request(.get, "/", host: "example.amazonaws.com:80")
        Self.signer().sign(&other, payload: .bytes([]), at: Self.moment)
        #expect(plain.headerFields[.authorization] != other.headerFields[.authorization])
    }

    @Test func `a signature in the query covers the header fields that must be signed`() throws {
        var signer = Self.signer("s3")
        signer.lifetimeInQuery = .seconds(60)
        var fields: HTTPFields = [.contentType: "text/plain"]
        fields[try #require(HTTPField.Name("X-Amz-Meta-Note"))] = "a  b"
        fields[try #require(HTTPField.Name("X-Amz-Acl"))] = "public-read"
        var request = Self.request(.put, "/test.txt", host: "examplebucket.s3.amazonaws.com", fields)
        signer.sign(&request, payload: .unsigned, at: Self.moment)
        #expect(
            request.path
                == "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20150830T123600Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host%3Bx-amz-acl%3Bx-amz-meta-note&X-Amz-Signature=ae7d145bcaae0dc804e601dc0f3ed7938d068d2f48d530253b17ec3d2e28b2d5"
        )
        #expect(request.headerFields == fields)
    }

    @Test func `the other endpoints of S3 are signed like S3`() {
        var request = Self.request(.get, "/K%C3%A4se.txt")
        let signer = Self.signer("s3-object-lambda")
        signer.sign(&request, payload: .bytes([]), at: Self.moment)
        #expect(
            request.headerFields[.authorization]?.hasSuffix(
                "host;x-amz-content-sha256;x-amz-date, Signature=42e3480d1fc0a076344944e8df3f68bfcc277c0039b2ec651caed841ec8a2a82")
                == true)
        #expect(Self.signer("s3-outposts").takesUnsignedBodies)
        #expect(Self.signer("s3express").takesUnsignedBodies)
        #expect(!Self.signer("s3tables").takesUnsignedBodies)
    }

    @Test func `the server's clock counts`() {
        var request = Self.request(.get, "/")
        var signer = Self.signer()
        signer.offset = .seconds(3_600)
        signer.sign(&request, payload: .bytes([]), at: Self.moment.addingTimeInterval(-3_600))
        #expect(request.headerFields[HTTPField.Name("X-Amz-Date")!] == "20150830T123600Z")
    }

    @Test func `a body that can be read again is read for its signature, and one that cannot is an error`() async throws {
        let again = RequestBody.restartable {
            AsyncThrowingStream {
                $0.yield(Array("Wel".utf8))
                $0.yield(Array("come".utf8))
                $0.finish()
            }
        }
        guard case .hash(let hash) = try await again.hashed() else {
            Issue.record("a body in pieces has a hash")
            return
        }
        #expect(hash == "0e2226b5235f0ff94a276eb4d07a3bfea74b7e3b8b85e9efca6c18430f041bf8")
        let once = RequestBody.once(AsyncThrowingStream { $0.finish() })
        await #expect { _ = try await once.hashed() } throws: { ($0 as? CountersignError)?.code == .bodyNotReplayable }
        #expect(Self.signer().payload(of: once, isEncrypted: true) == nil)
        guard case .unsigned? = Self.signer("s3").payload(of: once, isEncrypted: true) else {
            Issue.record("S3 takes a body that is not signed")
            return
        }
        #expect(Self.signer("s3").payload(of: once, isEncrypted: false) == nil)
    }
}
