import Countersign
import Foundation
import HTTPTypes
import Testing

@Suite struct `Failures of a token endpoint` {
    private func failure(code: String, status: Int = 400, _ fields: HTTPFields = [:]) throws -> OAuth2TokenFailure {
        try #require(TokenAnswer(#"{"error":"\#(code)"}"#, status: status, fields).failure())
    }

    @Test(arguments: [400, 401, 403, 200]) func `RT-21 invalid_grant, or invalid_token in its place, and nothing else, is terminal`(
        status: Int
    ) throws {
        #expect(try failure(code: "invalid_grant", status: status).failureClass == .terminal)
        #expect(try failure(code: "invalid_token", status: status).failureClass == .terminal)
        for code in [
            "INVALID_GRANT", "invalid_grant ", "invalid_grant_x", "invalid_token_x", "access_denied", "interaction_required",
        ] {
            #expect(try failure(code: code, status: status).failureClass == .configuration)
        }
    }

    @Test(arguments: [500, 502, 503, 504, 599, 429, 408, 425])
    func `RT-22 a server in trouble logs nobody out, whatever the body says`(status: Int) throws {
        #expect(try failure(code: "invalid_grant", status: status).failureClass == .transient(retryAfter: nil))
        let fields: HTTPFields = [.retryAfter: "120"]
        #expect(TokenAnswer("<html>", status: status, fields).failure()?.failureClass == .transient(retryAfter: .seconds(120)))
        #expect(TokenAnswer("", status: status, fields).failure()?.failureClass == .transient(retryAfter: .seconds(120)))
    }

    @Test(arguments: [
        TransportError.Reason.connect, .tls, .nameResolution, .proxy(status: 502), .timeout, .connectionLost, .malformed, .shutDown,
        .other,
    ])
    func `RT-22 RT-23 no answer is transient, and ambiguous if the request may have arrived`(reason: TransportError.Reason) {
        let before = OAuth2TokenFailure(TransportError(reason, detail: "", requestMayHaveBeenProcessed: false))
        let after = OAuth2TokenFailure(TransportError(reason, detail: "", requestMayHaveBeenProcessed: true))
        #expect(before.failureClass == .transient(retryAfter: nil))
        #expect(after.failureClass == .ambiguous)
    }

    @Test(arguments: [
        "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_request", "invalid_target",
    ])
    func `RT-24 a client that is set up wrongly keeps its refresh token`(code: String) throws {
        #expect(try failure(code: code).failureClass == .configuration)
        #expect(try failure(code: code, status: 401).failureClass == .configuration)
    }

    @Test(arguments: ["server_error", "temporarily_unavailable"])
    func `RT-24 the server's own troubles are transient under any status`(code: String) throws {
        #expect(try failure(code: code, [.retryAfter: "7"]).failureClass == .transient(retryAfter: .seconds(7)))
        #expect(try failure(code: code, status: 200).failureClass == .transient(retryAfter: nil))
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308]) func `RT-32 a redirect is refused, whatever comes with it`(status: Int) {
        var answer = TokenAnswer.token()
        answer.status = status
        answer.fields[.location] = "https://evil.example/token"
        #expect(answer.failure()?.reason == .redirect)
        #expect(answer.failure()?.failureClass == .configuration)
        #expect(TokenAnswer(#"{"error":"invalid_grant"}"#, status: status).failure()?.failureClass == .configuration)
    }

    @Test(arguments: [201, 202, 204, 206, 400, 401, 403, 404, 405, 410, 415])
    func `another status without an OAuth error is a configuration error`(status: Int) {
        var token = TokenAnswer.token()
        token.status = status
        for answer in [token, TokenAnswer("<html>", status: status), TokenAnswer("", status: status)] {
            #expect(answer.failure()?.reason == .status)
            #expect(answer.failure()?.status == status)
            #expect(answer.failure()?.failureClass == .configuration)
        }
    }

    @Test func `a status of 200 with an error is that error, with or without a token`() {
        let error = OAuth2ServerError(code: "bad_verification_code", message: nil, uri: nil, state: nil)
        for body in [
            #"{"error":"bad_verification_code"}"#, #"{"access_token":"AT","token_type":"Bearer","error":"bad_verification_code"}"#,
        ] {
            guard case .server(let found)? = TokenAnswer(body).failure()?.reason else {
                Issue.record("\(body) is no server error")
                continue
            }
            #expect(found.code == error.code)
        }
    }

    @Test(arguments: [#""error":null"#, #""error":"""#, #""error":false"#, #""error":0"#]) func `an error without content is none`(
        member: String
    ) throws {
        #expect(try TokenAnswer.token(member).read().token.accessToken == "AT")
    }

    @Test(arguments: [#"{"code":400,"message":"c4nary"}"#, "400", "true", #"["c4nary"]"#])
    func `an error that is no text is one without a code`(value: String) {
        guard case .server(let error)? = TokenAnswer(#"{"error":\#(value)}"#, status: 400).failure()?.reason else {
            Issue.record("\(value) is no server error")
            return
        }
        #expect(error.code == nil)
        #expect(TokenAnswer(#"{"error":\#(value)}"#, status: 400).failure()?.failureClass == .configuration)
    }

    // MARK: Retry-After (RFC 9110, sections 5.6.7 and 10.2.3)

    private func retryAfter(_ value: String, date: String? = nil) -> Duration? {
        var fields: HTTPFields = [.retryAfter: value]
        fields[.date] = date
        return TokenAnswer("", status: 503, fields).failure()?.retryAfter
    }

    @Test(arguments: [
        ("120", 120), ("0", 0), (" 7 ", 7), ("00012", 12), ("86400", 86_400), ("31622400", 31_622_400), ("31622401", 31_622_400),
        ("9223372036854775807", 31_622_400), ("99999999999999999999", 31_622_400),
    ])
    func `RT-22 Retry-After in seconds counts from arrival, up to 366 days`(value: String, seconds: Int) {
        #expect(retryAfter(value) == .seconds(seconds))
    }

    @Test(arguments: ["", "-5", "1.5", "soon", "12s", "Fri, 31 Dec", "0x10", "１２"]) func `what is unreadable is no Retry-After`(
        value: String
    ) {
        #expect(retryAfter(value) == nil)
    }

    // The response arrives at 1970-01-12 13:46:40 GMT.
    @Test(arguments: [
        ("Mon, 12 Jan 1970 13:48:40 GMT", 120), ("Monday, 12-Jan-70 13:48:40 GMT", 120), ("Mon Jan 12 13:48:40 1970", 120),
        ("Mon, 12 Jan 1970 13:46:40 GMT", 0), ("Mon, 12 Jan 1970 12:00:00 GMT", 0), ("Tue, 13 Jan 1970 13:46:40 GMT", 86_400),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 31_622_400),
    ])
    func `Retry-After as a date counts from arrival, in the three forms of dates`(value: String, seconds: Int) {
        #expect(retryAfter(value) == .seconds(seconds))
    }

    @Test func `RT-27 a date counts from the response's own date, so the clocks need not agree`() {
        #expect(retryAfter("Fri, 31 Dec 1999 23:59:59 GMT", date: "Fri, 31 Dec 1999 23:57:59 GMT") == .seconds(120))
        #expect(retryAfter("Mon, 12 Jan 1970 13:48:40 GMT", date: "nonsense") == .seconds(120))
    }
}
