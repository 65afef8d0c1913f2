import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignTesting

/// Tokens that are bound to the certificate of their client (RFC 8705).
@Suite(.takesTurns) struct CertificateBindingTests {
    private static let redirectURI = "https://app.example/callback"

    @Test func `tokens of every grant are bound to the certificate with which the client authenticates`() throws {
        var client = MockOAuth2Client(
            id: "reports", redirectURIs: [Self.redirectURI], grants: Set(MockOAuth2Client.Grant.allCases))
        client.certificate = [1, 2, 3]
        var options = MockOAuth2Options()
        options.clients = [client]
        let server = AuthorizationServer(options: options, address: "https://login.example")

        func certificate(
            _ grant: MockOAuth2Client.Grant, _ form: [String: String]
        ) throws -> (issue: TokenLedger.Issue, der: [UInt8]?) {
            let issue = try server.issue(grant, for: OAuth2Parameters(form), to: client)
            return (issue, server.certificate(of: issue.accessToken))
        }
        let code = server.makeCode(
            for: AuthorizationRequest(
                client: client, redirectURI: Self.redirectURI, sentRedirectURI: nil, state: nil, scopes: ["read"], challenge: nil),
            user: "alice")
        let login = try certificate(.authorizationCode, ["code": code])
        #expect(login.der == [1, 2, 3])
        let refreshToken = try #require(login.issue.refreshToken)
        #expect(try certificate(.refreshToken, ["refresh_token": refreshToken]).der == [1, 2, 3])
        let passcode = server.makePasscode(for: "alice", client: client)
        #expect(try certificate(.password, ["passcode": passcode]).der == [1, 2, 3])
        let device = server.makeDevice(for: client, scopes: ["read"], claims: nil)
        #expect(server.settle(userCode: device.userCode, by: "alice"))
        #expect(try certificate(.deviceCode, ["device_code": device.deviceCode]).der == [1, 2, 3])
        #expect(try certificate(.clientCredentials, [:]).der == [1, 2, 3])
    }

    @Test(arguments: [nil, "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"] as [String?])
    func `introspection names the certificate and the key to which a token is bound`(_ key: String?) throws {
        var client = MockOAuth2Client(id: "reports", grants: [.clientCredentials])
        client.certificate = [1, 2, 3]
        var options = MockOAuth2Options()
        options.clients = [client]
        let server = AuthorizationServer(options: options, address: "https://login.example")
        let form = OAuth2Parameters([String: String]())
        let token = try server.issue(.clientCredentials, for: form, to: client, provedBy: key).accessToken

        let body = Array(OAuth2Caller.query(["client_id": client.id, "token": token]).utf8)
        var request = MockRequest(
            method: .post, authority: "login.example", path: server.options.paths.introspect, query: nil,
            fields: [.contentType: "application/x-www-form-urlencoded"], body: body, bodyLength: body.count)
        request.certificate = client.certificate
        let response = IntrospectionEndpoint(server: server, faults: FaultQueue()).respond(to: request)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        #expect(members["active"] as? Bool == true)
        var expected = ["x5t#S256": "A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc-4E"]
        if let key { expected["jkt"] = key }
        #expect(members["cnf"] as? [String: String] == expected)
    }
}
