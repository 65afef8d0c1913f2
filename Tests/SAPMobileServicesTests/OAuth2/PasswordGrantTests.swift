import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// The password grant is legacy (RFC 9700, section 2.4), and is supported only for the passcode of an onboarding.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct PasswordGrantTests {
    /// Makes a configuration whose only client has the password grant, with a valid passcode.
    private func configuration(of bench: OAuth2Bench) throws -> DiscoveryConfiguration {
        let base = bench.mock.baseURL.absoluteString
        let passcode = try #require(bench.mock.makePasscode())
        return try DiscoveryConfiguration(
            data: Data(
                """
                {"auth":[{"type":"oauth2","config":{"oauth2.authorizationEndpoint":"\(base)/oauth2/api/v1/authorize",
                  "oauth2.tokenEndpoint":"\(base)/oauth2/api/v1/token","oauth2.clients":[{"clientID":"countersign",
                  "grantType":"password","redirectURL":"com.example.countersign://oauth2/callback","passcode":"\(passcode)"}]}}],
                 "host":"\(bench.mock.baseURL.host() ?? "")","port":\(bench.mock.baseURL.port ?? 0),"protocol":"http"}
                """.utf8))
    }

    @Test func `B20 logins and renewals send no password grant, even where the configuration has a client for nothing else`()
        async throws
    {
        try await OAuth2Bench.run { bench in
            let values = try configuration(of: bench).values()
            bench.session.register(
                OAuth2Observer(
                    authenticationParameters: try OAuth2AuthenticationParameters(configuration: values), tokenStore: bench.store))
            #expect(try await bench.user() == "alice")
            bench.mock.expireAccessTokens()
            #expect(try await bench.user() == "alice")
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenRequests == [.authorizationCode: 2, .refreshToken: 1])
        }
    }

    @Test func `B20 a service sends no password grant`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            bench.session.register(
                OAuth2Observer(clientCredentialsAuthenticationParameters: try bench.service, tokenStore: bench.store))
            _ = try await bench.user()
            bench.mock.expireAccessTokens()
            _ = try await bench.user()
            #expect(bench.counted.tokenRequests == [.clientCredentials: 2])
        }
    }

    @Test func `B20 an onboarding without a passcode sends no password grant`() async throws {
        try await OAuth2Bench.run { bench in
            let store = CredentialCodableStore(MemoryCredentialStore())
            var context = OnboardingContext(sapURLSession: bench.session, credentialStore: store)
            context.info = try DiscoveryServiceConfigurationTransformer().transform(configuration(of: bench))
            _ = try await OAuth2AuthenticationStep().onboard(context: context)
            #expect(bench.counted.tokenRequests == [.authorizationCode: 1])
        }
    }

    @Test func `B20 the parameters of the password grant send it, once`() async throws {
        try await OAuth2Bench.run { bench in
            let passcode = try #require(bench.mock.makePasscode())
            let values = try configuration(of: bench).values(grantType: "password", passcode: passcode)
            bench.session.register(
                OAuth2Observer(
                    passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values),
                    tokenStore: bench.store))
            #expect(try await bench.user() == "alice")
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenRequests == [.password: 1, .authorizationCode: 1])
        }
    }
}
