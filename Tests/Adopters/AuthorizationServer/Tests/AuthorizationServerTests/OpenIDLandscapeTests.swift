import Countersign
import Foundation
import OpenIDConnect
import Testing

extension `Tokens of an OAuth 2 server not written here` {
    /// The methods of the landscape `OpenIDConnect`, which are configured only with the server's issuer.
    struct `The landscape OpenIDConnect` {
        private let lab: Lab

        init() throws { lab = try Lab() }

        private func parameters(_ clientID: String, issuer: String = Lab.issuer) throws -> OpenIDLoginParameters {
            OpenIDLoginParameters(
                apis: [lab.server], issuer: try #require(URL(string: issuer)), clientID: clientID, redirectURL: lab.redirect,
                clientSecret: clientID == "svc" ? Lab.clientSecret : nil, clientAuthentication: .rawBasic,
                scopes: "openid profile email")
        }

        @Test func `a user logs in with a second factor, with an ID token that is verified, and out`() async throws {
            let presenter = SecondFactorPresenter(.alice)
            try await lab.nextToken()
            try await lab.run(OpenIDLoginObserver(parameters: try parameters("svc")), presenter: presenter) {
                (session, events) async throws in
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<20 { group.addTask { try await lab.who(session) } }
                    for try await name in group { #expect(name == "alice") }
                }
                #expect(presenter.count == 1)
                #expect(events.authentications == 1)
                try await session.logOut()
                try await lab.nextToken()
                #expect(try await lab.who(session) == "alice")
                #expect(presenter.count == 2)
            }
        }

        @Test func `an expired credential is renewed, and stays that of the same user`() async throws {
            let presenter = SecondFactorPresenter(.alice)
            let store = ExpiringStore()
            try await lab.nextToken()
            try await lab.run(OpenIDLoginObserver(parameters: try parameters("public"), store: store), presenter: presenter) {
                (session, _) async throws in
                #expect(try await lab.who(session) == "alice")
                #expect(store.field("subject") == "alice")
            }
            for _ in 0..<2 {
                store.expire()
                try await lab.nextToken()
                try await lab.run(OpenIDLoginObserver(parameters: try parameters("public"), store: store), presenter: presenter) {
                    (session, _) async throws in
                    #expect(try await lab.who(session) == "alice")
                }
            }
            #expect(presenter.count == 1)
        }

        @Test(arguments: ["https://localhost:9448/", "https://localhost:9448/other", "https://127.0.0.1:9448"])
        func `metadata of another issuer than the one that was asked for are refused`(issuer: String) async throws {
            try await lab.run(OpenIDLoginObserver(parameters: try parameters("public", issuer: issuer))) {
                (session, _) async throws in
                await #expect {
                    try await lab.who(session)
                } throws: { error in
                    (error as? CountersignError).map { [.unexpectedAnswer, .unreachable].contains($0.code) } == true
                }
            }
        }

        @Test func `a service has a token of the endpoint that the server names`() async throws {
            try await lab.nextToken()
            let observer = OpenIDServiceObserver(
                parameters: OpenIDServiceParameters(
                    apis: [lab.server], issuer: lab.server, clientID: "svc", clientSecret: Lab.clientSecret,
                    clientAuthentication: .rawBasic, scopes: "profile"))
            try await lab.run(observer) { (session, events) async throws in
                // No user has logged in. An unknown token would be challenged with 401.
                #expect(try await lab.who(session) == "403")
                #expect(events.authentications == 1)
            }
        }
    }
}
