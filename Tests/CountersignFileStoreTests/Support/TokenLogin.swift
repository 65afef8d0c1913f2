import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import Testing

/// A login at a mock authorization server, for the tokens with which processes begin.
enum TokenLogin {
    private static let redirectURI = "https://app.example/callback"

    /// Signs in, and returns the token.
    static func token(at server: MockAuthorizationServer) async throws -> OAuth2Token {
        let transport = AsyncHTTPClientTransport()
        do {
            let token = try await token(at: server, over: transport)
            try await transport.shutdown()
            return token
        } catch {
            try await transport.shutdown()
            throw error
        }
    }

    private static func token(at server: MockAuthorizationServer, over transport: AsyncHTTPClientTransport) async throws
        -> OAuth2Token
    {
        // The pair of RFC 7636, appendix B.
        let request = FormParameters([
            "response_type": "code", "client_id": "app", "redirect_uri": redirectURI, "state": "state",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        ])
        let presentation = WebPresentation(
            authenticationMethod: "OAuth2", url: server.authorizationEndpoint.merging(request),
            finish: FinishRule(try #require(URL(string: redirectURI)), match: .path), jar: CookieJar(), transport: transport)
        let finish = try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation).finishURL
        let answer = try FormParameters(parsing: finish.absoluteString.drop { $0 != "?" }.dropFirst())
        let redemption = FormParameters([
            "grant_type": "authorization_code", "client_id": "app", "code": try #require(answer["code"]),
            "redirect_uri": redirectURI, "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        ])
        var head = HTTPRequest(method: .post, url: server.tokenEndpoint)
        head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let response = try await transport.send(SessionRequest(head, body: .text(redemption.serialized)))
        let body = try await response.body.collect(upTo: 1 << 20)
        let now = TokenLifetime.Moment(elapsed: .zero, date: Date())
        return try OAuth2TokenResponseReader().read(
            status: response.head.status.code, fields: response.head.headerFields, body: body, arrival: now, jitter: 0
        ).token
    }
}
