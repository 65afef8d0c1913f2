import Countersign
import Foundation
import Testing

@Suite struct `Errors of an authorization server` {
    private func error(_ body: String, secrets: [String] = []) throws -> OAuth2ServerError {
        let failure = try #require(TokenAnswer(body, status: 400).failure(OAuth2TokenResponseReader(secrets: secrets)))
        guard case .server(let error) = failure.reason else { throw failure }
        return error
    }

    @Test func `RFC 6749 section 5.2, the example`() throws {
        let error = try error(#"{"error":"invalid_request"}"#)
        #expect(error.code == "invalid_request")
        #expect(error.message == nil && error.uri == nil && error.state == nil)
        #expect(error.responseData == Data(#"{"error":"invalid_request"}"#.utf8))
    }

    @Test func `all members are read, and codes that nobody knows are kept`() throws {
        let error = try error(
            #"{"error":"x-Custom:42","error_description":"Not now","error_uri":"https://as.example/1","state":"xyz","x":"c4nary"}"#
        )
        #expect(error.code == "x-Custom:42")
        #expect(error.message == "Not now")
        #expect(error.uri == "https://as.example/1")
        #expect(error.state == "xyz")
        let copy = #"{"error":"x-Custom:42","error_description":"Not now","error_uri":"https://as.example/1"}"#
        #expect(error.responseData.map { String(decoding: $0, as: UTF8.self) } == copy)
    }

    @Test func `texts are cut, and lose what could disturb a reader`() throws {
        let long = String(repeating: "x", count: 20_000)
        let error = try error(
            #"{"error":"a\u001b[31m\u0000\r\nb","error_description":"\u202eevil\u2028\u0007 é 🔑\#(long)","error_uri":"\#(long)"}"#)
        #expect(error.code == "a[31mb")
        #expect(error.message?.hasPrefix("evil é 🔑xxx") == true)
        #expect(error.message?.unicodeScalars.count == 1024)
        #expect(error.uri?.unicodeScalars.count == 2048)
        #expect(
            OAuth2ServerError(code: String(repeating: "y", count: 999), message: "a\nb", uri: nil, state: nil).code?.count == 128)
        #expect(OAuth2ServerError(code: "c", message: "a\nb", uri: "\u{7}", state: nil).message == "ab")
        #expect(OAuth2ServerError(code: "c", message: "a\nb", uri: "\u{7}", state: nil).uri == nil)
    }

    @Test(arguments: ["bad c4nary\u{200B}-RT-2", "bad c4nary-RT-2\u{200D}", "bad c4nary-RT-2\u{301}", "bad \u{202E}c4nary-RT-2"])
    func `RT-30 a quoted secret with invisible or combining characters is taken out, too`(message: String) throws {
        let error = try error(#"{"error":"invalid_request","error_description":"\#(message)"}"#, secrets: ["c4nary-RT-2"])
        // A combining character that is left belongs to the bracket, so the bytes are compared.
        #expect(error.message?.utf8.starts(with: "bad <redacted>".utf8) == true)
        let data = try #require(error.responseData)
        #expect(data.range(of: Data("<redacted>".utf8)) != nil && data.range(of: Data("c4nary".utf8)) == nil)
    }

    @Test func `RT-30 a quoted secret in another normal form is taken out, too`() throws {
        let error = try error(
            "{\"error\":\"invalid_request\",\"error_description\":\"bad pa\u{308}sswort\"}", secrets: ["p\u{E4}sswort"])
        #expect(error.message == "bad <redacted>")
    }

    @Test func `RT-30 secrets of the request that a server quotes are taken out`() throws {
        let quoted = #"{"error":"invalid_grant","error_description":"Invalid refresh token (expired): c4nary-RT, not c4nary-RT-2"}"#
        let old = OAuth2Token(accessToken: "c4nary-AT", tokenType: "Bearer", refreshToken: "c4nary-RT")
        let reader = OAuth2TokenResponseReader(renewing: old, secrets: ["c4nary-RT-2", "e"])
        guard case .server(let error)? = TokenAnswer(quoted, status: 400).failure(reader)?.reason else {
            Issue.record("no server error")
            return
        }
        #expect(error.message == "Invalid refresh token (expired): <redacted>, not <redacted>")
        #expect(error.responseData.map { String(decoding: $0, as: UTF8.self).contains("c4nary") } == false)
    }

    @Test(arguments: ["invalid_grant", "interaction_required", "x-y"]) func `descriptions show the code`(code: String) {
        let error = OAuth2ServerError(code: code, message: "c4nary", uri: "c4nary", state: "c4nary")
        #expect(error.description == "OAuth2ServerError(\(code), <redacted>)")
        #expect(error.errorDescription == "The authorization server refused the request (\(code)).")
        #expect(error.localizedDescription == error.errorDescription)
    }

    @Test(arguments: ["c4n4ry", "eyJhbGciOiJSUzI1NiJ9", "A", "a b", String(repeating: "a", count: 41)])
    func `descriptions do not show a code that is no word`(code: String) {
        let error = OAuth2ServerError(code: code, message: nil, uri: nil, state: nil)
        #expect(error.description == "OAuth2ServerError(unusual code, <redacted>)")
    }

    @Test func `known codes say why and what to do`() {
        for code in [
            "invalid_grant", "invalid_token", "invalid_client", "invalid_scope", "server_error", "access_denied",
            "unsupported_response_type",
        ] {
            let error = OAuth2ServerError(code: code, message: nil, uri: nil, state: nil)
            #expect(error.failureReason != nil && error.recoverySuggestion != nil)
        }
        let denied = OAuth2ServerError(code: "access_denied", message: nil, uri: nil, state: nil)
        #expect(denied.recoverySuggestion?.contains("an administrator of the server has to permit it") == true)
        #expect(OAuth2ServerError(code: "other", message: nil, uri: nil, state: nil).failureReason == nil)
    }
}
