import Canaille
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension `Tokens of an OAuth 2 server not written here` {
    struct `Client credentials` {
        @Test func `a secret of reserved characters is taken as it is`() async throws {
            let lab = try Lab()
            var parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                settingsParameters: lab.settings, name: "svc", secret: Lab.clientSecret)
            parameters.requestingScopes = ["profile"]
            let token = try await authenticator(parameters, lab).authenticate()
            #expect(token.scopes == ["profile"])
            #expect(token.refreshToken == nil)
        }

        @Test func `the application can prove the client in its own way`() async throws {
            let lab = try Lab()
            let parameters = OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: lab.server.appending(path: "oauth/token")
            ) { request in
                var request = request
                request.setValue(
                    "Basic \(Data("svc:\(Lab.clientSecret)".utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
                return request
            }
            let token = try await authenticator(parameters, lab).authenticate()
            #expect(token.tokenType == "Bearer")
        }

        @Test func `a challenge is answered with a token, which the resource knows`() async throws {
            let lab = try Lab()
            let events = RecordedEvents()
            let store = MemoryTokenStore()
            let session = lab.session(events: [events])
            var parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                settingsParameters: lab.settings, name: "svc", secret: Lab.clientSecret)
            parameters.requestingScopes = ["profile"]
            session.register(OAuth2Observer(authenticator: authenticator(parameters, lab), tokenStore: store))
            let (data, response) = try await session.data(for: URLRequest(url: lab.userinfo))
            // No user has logged in, so there is no user to return. An unknown token would be challenged with 401.
            #expect((response as? HTTPURLResponse)?.statusCode == 403)
            #expect(String(decoding: data, as: UTF8.self).contains("insufficient_scope"))
            #expect(events.count(.challenged(signature: "bearer")) == 1)
            #expect(events.authentications == 1)
            #expect(store.token(for: lab.server) != nil)
        }

        @Test func `a wrong secret is the server's refusal and does not show`() async throws {
            let lab = try Lab()
            let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                settingsParameters: lab.settings, name: "svc", secret: "not the secret")
            do {
                _ = try await authenticator(parameters, lab).authenticate()
                Issue.record("a token was given for a wrong secret")
            } catch let error as OAuth2Error {
                #expect(error.code == "server")
                #expect(error.serverError?.code == "invalid_client")
                #expect(!String(reflecting: error).contains("not the secret"))
            }
        }

        private func authenticator(
            _ parameters: OAuth2ClientCredentialsAuthenticationParameters, _ lab: Lab
        ) -> OAuth2Authenticator {
            OAuth2Authenticator(clientCredentialsAuthenticationParameters: parameters, sapURLSession: lab.session())
        }
    }
}
