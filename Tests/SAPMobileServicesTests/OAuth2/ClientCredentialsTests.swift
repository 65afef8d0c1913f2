import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A service authenticates itself, and no user logs in.
@Suite(.takesTurns) struct `Client credentials` {
    private func register(_ parameters: OAuth2ClientCredentialsAuthenticationParameters, on bench: OAuth2Bench) {
        bench.session.register(
            OAuth2Observer(clientCredentialsAuthenticationParameters: parameters, tokenStore: bench.store))
    }

    @Test func `M13 a name and a secret full of reserved characters get a token`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            register(try bench.service, on: bench)
            #expect(try await bench.user() == "countersign-service")
            #expect(bench.counted.tokenAnswers == [.clientCredentials: 1])
        }
    }

    @Test func `M13 a client of the XSUAA is sent as it is, without form encoding`() async throws {
        let id = "sb-orders!t1234", secret = "8-$a/b=%2B:é"
        let literally = { @Sendable (options: inout MockOAuth2Options) in
            options.clients = [
                MockOAuth2Client(id: id, secret: secret, grants: [.clientCredentials], authentications: [.rawBasic])
            ]
        }
        try await OAuth2Bench.run(oauth2: literally, presenter: nil) { bench in
            register(
                try OAuth2ClientCredentialsAuthenticationParameters(settingsParameters: bench.settings, name: id, secret: secret),
                on: bench)
            #expect(try await bench.user() == id)
        }
    }

    @Test func `M13 a name that HTTP Basic cannot carry is an invalid argument`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            register(
                try OAuth2ClientCredentialsAuthenticationParameters(settingsParameters: bench.settings, name: "a:b", secret: "s"),
                on: bench)
            guard case .invalidArgument? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `a hundred requests with an expired token take one more`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            register(try bench.service, on: bench)
            #expect(try await bench.user() == "countersign-service")
            bench.mock.expireAccessTokens()
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "countersign-service" })
            #expect(bench.counted.tokenAnswers == [.clientCredentials: 2])
        }
    }

    /// Puts name and secret into the form, as an application's handler could.
    @Sendable private static func inForm(_ request: URLRequest) throws -> URLRequest {
        var request = request
        let form = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
        #expect(form == "grant_type=client_credentials&scope=read")
        request.httpBody = Data("\(form)&client_id=jwt&client_secret=s".utf8)
        return request
    }

    @Test func `M13 a handler puts another kind of authentication into the request`() async throws {
        let body = { @Sendable (options: inout MockOAuth2Options) in
            options.clients = [MockOAuth2Client(id: "jwt", secret: "s", grants: [.clientCredentials], authentications: [.body])]
        }
        try await OAuth2Bench.run(oauth2: body, presenter: nil) { bench in
            let parameters = OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: bench.mock.baseURL.appending(path: "oauth2/api/v1/token"), requestingScopes: ["read"],
                clientCredentialsHandler: Self.inForm)
            register(parameters, on: bench)
            let user = try await bench.user()
            #expect(user == "jwt")
            #expect(!"\(parameters)".contains("Function"))
        }
    }

    @Test func `what a handler throws is the error`() async throws {
        struct NoKey: Error, Equatable {}
        try await OAuth2Bench.run(presenter: nil) { bench in
            let url = bench.mock.baseURL.appending(path: "oauth2/api/v1/token")
            register(
                OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: url) { _ in throw NoKey() }, on: bench)
            #expect(await bench.error() as? NoKey == NoKey())
        }
    }

    @Test func `a wrong secret is the server's error, and is sent once`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                settingsParameters: bench.settings, name: "countersign-service", secret: "wrong")
            register(parameters, on: bench)
            guard case .server(let error)? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            #expect(error.code == "invalid_client")
            #expect(bench.counted.tokenRequests == [.clientCredentials: 1])
        }
    }

    @Test func `without a name or secret there are no parameters`() throws {
        let url = try #require(URL(string: "https://example.com/token"))
        #expect(throws: OAuth2Error.self) {
            try OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: url, name: "", secret: "s")
        }
        #expect(throws: OAuth2Error.self) {
            try OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: url, name: "n", secret: "")
        }
    }
}
