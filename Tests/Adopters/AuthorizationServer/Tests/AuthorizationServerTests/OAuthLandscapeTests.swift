import Countersign
import Crypto
import Foundation
import JWTBearer
import OAuth
import OpenIDConnect
import Testing

extension `Tokens of an OAuth 2 server not written here` {
    /// The methods of the landscapes `OAuth` and `JWTBearer`, which have no rules for this server.
    struct `The landscape OAuth` {
        private let lab: Lab

        init() throws { lab = try Lab() }

        private func userParameters(_ clientID: String = "public", issuer: String = Lab.issuer) -> AuthorizationCodeParameters {
            AuthorizationCodeParameters(
                apis: [lab.server], authorizationURL: lab.server.appending(path: "oauth/authorize"),
                tokenURL: lab.server.appending(path: "oauth/token"), clientID: clientID, redirectURL: lab.redirect,
                // This server does not let a public client revoke tokens.
                revocationURL: clientID == "svc" ? lab.server.appending(path: "oauth/revoke") : nil,
                clientSecret: clientID == "svc" ? Lab.clientSecret : nil, clientAuthentication: .rawBasic,
                scopes: "openid profile email", issuer: issuer)
        }

        private func serviceParameters(secret: String = Lab.clientSecret) -> ClientCredentialsParameters {
            ClientCredentialsParameters(
                apis: [lab.server], tokenURL: lab.server.appending(path: "oauth/token"), clientID: "svc", clientSecret: secret,
                clientAuthentication: .rawBasic, scopes: "profile")
        }

        @Test(arguments: ["public", "svc"])
        func `a user logs in with a second factor, once for twenty requests, and out`(client: String) async throws {
            let presenter = SecondFactorPresenter(.alice)
            try await lab.nextToken()
            try await lab.run(AuthorizationCodeObserver(parameters: userParameters(client)), presenter: presenter) {
                (session, events) async throws in
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<20 { group.addTask { try await lab.who(session) } }
                    for try await person in group { #expect(person == "alice") }
                }
                #expect(presenter.count == 1)
                #expect(events.authentications == 1)
                try await session.logOut()
                try await lab.nextToken()
                #expect(try await lab.who(session) == "alice")
                #expect(presenter.count == 2)
            }
        }

        @Test func `an expired credential is renewed before it is sent, again and again`() async throws {
            let presenter = SecondFactorPresenter(.alice)
            let store = ExpiringStore()
            try await lab.nextToken()
            try await lab.run(AuthorizationCodeObserver(parameters: userParameters(), store: store), presenter: presenter) {
                (session, _) async throws in
                #expect(try await lab.who(session) == "alice")
            }
            for _ in 0..<2 {
                store.expire()
                try await lab.nextToken()
                try await lab.run(AuthorizationCodeObserver(parameters: userParameters(), store: store), presenter: presenter) {
                    (session, events) async throws in
                    try await withThrowingTaskGroup(of: String.self) { group in
                        for _ in 0..<20 { group.addTask { try await lab.who(session) } }
                        for try await person in group { #expect(person == "alice") }
                    }
                    #expect(events.authentications == 1)
                }
            }
            #expect(presenter.count == 1)
        }

        @Test func `a session that the server has ended leads to the page`() async throws {
            let presenter = SecondFactorPresenter(.alice)
            let store = ExpiringStore()
            try await lab.nextToken()
            try await lab.run(AuthorizationCodeObserver(parameters: userParameters("svc"), store: store), presenter: presenter) {
                (session, events) async throws in
                #expect(try await lab.who(session) == "alice")
                let token = try #require(store.field("refreshToken"))
                #expect(try await lab.revoke(token) == 200)
                try await lab.nextToken()
                #expect(try await lab.who(session) == "alice")
                #expect(presenter.count == 2)
                #expect(events.count(.expired) == 1)
            }
        }

        @Test func `introspection of a token, and of a revoked one`() async throws {
            let store = ExpiringStore()
            try await lab.nextToken()
            try await lab.run(AuthorizationCodeObserver(parameters: userParameters("svc"), store: store)) {
                (session, _) async throws in
                #expect(try await lab.who(session) == "alice")
                let token = try #require(store.field("accessToken"))
                let parameters = TokenIntrospectionParameters(
                    issuer: try #require(URL(string: Lab.issuer)), clientID: "svc", token: token, clientSecret: Lab.clientSecret,
                    clientAuthentication: .rawBasic, tokenTypeHint: "access_token")
                let results = try await session.introspectToken(parameters: parameters)
                #expect(results.isActive && results.scope?.contains("profile") == true)
                #expect(results.expiry.map { $0 > .now } == true)
                #expect(try await lab.revoke(token) == 200)
                #expect(try await session.introspectToken(parameters: parameters).isActive == false)
            }
        }

        @Test func `a client with a wrong secret learns nothing of tokens`() async throws {
            try await lab.run(ClientCredentialsObserver(parameters: serviceParameters())) { (session, _) async throws in
                let parameters = TokenIntrospectionParameters(
                    issuer: try #require(URL(string: Lab.issuer)), clientID: "svc", token: "any", clientSecret: "not the secret",
                    clientAuthentication: .rawBasic)
                await #expect { try await session.introspectToken(parameters: parameters) } throws: {
                    ($0 as? CountersignError)?.code == .operationRefused
                }
            }
        }

        @Test func `an answer of another issuer is refused`() async throws {
            try await lab.run(AuthorizationCodeObserver(parameters: userParameters(issuer: "https://other.example"))) {
                (session, _) async throws in
                await #expect { try await lab.who(session) } throws: { ($0 as? CountersignError)?.code == .answerRefused }
            }
        }

        @Test func `a service has a token, which the resource knows`() async throws {
            try await lab.nextToken()
            try await lab.run(ClientCredentialsObserver(parameters: serviceParameters())) { (session, events) async throws in
                // No user has logged in, so there is no user to return. An unknown token would be challenged with 401.
                #expect(try await lab.who(session) == "403")
                #expect(events.authentications == 1)
            }
        }

        private func assertionParameters(key: String, subject: String = "alice") -> JWTBearerParameters {
            JWTBearerParameters(
                apis: [lab.server], tokenURL: lab.server.appending(path: "oauth/token"), assertionIssuer: "assertions",
                subject: subject,
                key: key, scopes: "openid profile")
        }

        @Test func `a service acts for a user by one assertion for twenty requests`() async throws {
            let parameters = assertionParameters(key: try lab.assertionKey())
            try await lab.nextToken()
            try await lab.run(JWTBearerObserver(parameters: parameters)) { (session, events) async throws in
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<20 { group.addTask { try await lab.who(session) } }
                    for try await person in group { #expect(person == "alice") }
                }
                #expect(events.authentications == 1)
            }
        }

        @Test func `an assertion by another key, or for an unknown user, is the server's refusal`() async throws {
            let other = P256.Signing.PrivateKey().pemRepresentation
            let refused = [
                assertionParameters(key: other), assertionParameters(key: try lab.assertionKey(), subject: "mallory"),
            ]
            for parameters in refused {
                try await lab.run(JWTBearerObserver(parameters: parameters)) { (session, _) async throws in
                    await #expect { try await lab.who(session) } throws: { error in
                        (error as? CountersignError)?.code == .refusedByServer && "\(error)".contains("invalid_grant")
                    }
                }
            }
        }

        @Test func `a wrong secret is the server's refusal and does not show`() async throws {
            try await lab.run(ClientCredentialsObserver(parameters: serviceParameters(secret: "not the secret"))) {
                (session, _) async throws in
                await #expect { try await lab.who(session) } throws: { error in
                    (error as? CountersignError)?.code == .refusedByServer && "\(error)".contains("invalid_client")
                        && !String(reflecting: error).contains("not the secret")
                }
            }
        }
    }
}
