import CountersignTesting
import Foundation
import RefusedClient
import Testing

extension `Tokens of an OAuth 2 server not written here` {
    struct `Refused client` {
        @Test func `a code is worth nothing without its verifier`() async throws {
            let lab = try Lab()
            var parameters = OAuth2AuthenticationParameters(
                authorizationEndpointURL: lab.server.appending(path: "oauth/authorize"), clientID: "public",
                redirectURL: lab.redirect, tokenEndpointURL: lab.server.appending(path: "oauth/token"))
            parameters.requestingScopes = ["openid"]
            parameters.issuer = Lab.issuer
            let presenter = SecondFactorPresenter(.alice)
            let authenticator = OAuth2Authenticator(
                authenticationParameters: parameters, sapURLSession: lab.session(), webViewPresenter: presenter)
            try await lab.nextToken()
            do {
                _ = try await authenticator.authenticate()
                Issue.record("a code was exchanged with another verifier")
            } catch OAuth2Error.server(let error) {
                #expect(error.code == "invalid_grant")
            }
            #expect(presenter.count == 1)
        }

        @Test func `a secret that is encoded as in the standard is refused here`() async throws {
            let lab = try Lab()
            let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: lab.server.appending(path: "oauth/token"), requestingScopes: ["profile"], name: "svc",
                secret: Lab.clientSecret)
            let authenticator = OAuth2Authenticator(
                clientCredentialsAuthenticationParameters: parameters, sapURLSession: lab.session())
            do {
                _ = try await authenticator.authenticate()
                Issue.record("the server takes secrets that are encoded as in a form")
            } catch OAuth2Error.server(let error) {
                #expect(error.code == "invalid_client")
            }
        }
    }
}
