// The tests of the guide "Apps for iOS and macOS", and those of its claims.

import Countersign
import CountersignFoundation
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: test
@Test(.takesTurns) func `a user signs in, is shown, and logs out`() async throws {
    var options = MockOAuth2Options()
    options.openID = MockOpenIDOptions()
    options.scopes = ["openid", "profile", "offline_access"]
    try await MockAuthorizationServer.run(options: options) { server in
        let journal = Journal(
            api: server.baseURL, issuer: server.baseURL,
            clientID: MockOAuth2Client.app.id,
            redirectURL: try #require(
                URL(string: "com.example.app:/callback")),
            presenter: HesitantUser(dismissing: 1),
            store: MemoryCredentialStore())
        let model = await JournalModel(journal)

        await model.load()  // the user closes the page
        #expect(await model.user == nil)
        #expect(await model.problem == nil)
        await model.load()
        #expect(await model.user?.sub == "alice")
        await model.logOut()
        #expect(await model.user == nil)
        #expect(server.statistics.revocations == 2)
        journal.session.invalidateAndCancel()
    }
}
// end

@Suite(.takesTurns, .timeLimit(.minutes(2))) struct `Claims of the guide of apps` {
    private let user = FormFillingPresenter(user: "alice", password: "wonderland")

    private func run(_ test: (MockAuthorizationServer) async throws -> Void) async throws {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "profile", "offline_access"]
        try await MockAuthorizationServer.run(options: options, test)
    }

    private func journal(
        _ api: URL, issuer: URL? = nil, presenter: (any WebPresenter)?, store: any CredentialStore = MemoryCredentialStore()
    ) throws -> Journal {
        Journal(
            api: api, issuer: issuer ?? api, clientID: MockOAuth2Client.app.id,
            redirectURL: try #require(URL(string: "com.example.app:/callback")), presenter: presenter, store: store)
    }

    @Test func `the name is a claim of the ID token, and the next process has it without a request`() async throws {
        try await run { server in
            let store = MemoryCredentialStore()
            server.inject(MockIDTokenFault.claims(["name": #""Alice Liddell""#]))
            let first = await JournalModel(try journal(server.baseURL, presenter: user, store: store))
            await first.load()
            #expect(await first.user == User(sub: "alice", name: "Alice Liddell"))
            let before = server.statistics
            let second = await JournalModel(try journal(server.baseURL, presenter: nil, store: store))
            await second.restore()
            #expect(await second.user == User(sub: "alice", name: "Alice Liddell"))
            #expect(server.statistics == before)
        }
    }

    @Test func `both sessions over the system's stack show the login page, and send the token`() async throws {
        try await run { server in
            let login = OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: MockOAuth2Client.app.id,
                redirectURL: try #require(URL(string: "com.example.app:/callback")), scopes: "openid profile offline_access")
            let url = server.baseURL.appending(path: "pages/today")

            let plain = systemSession(login: login, presenter: user, store: MemoryCredentialStore())
            let response = try await plain.send(SessionRequest(HTTPRequest(url: url)))
            #expect(response.head.status == .ok)
            _ = try await response.body.collect(upTo: 1 << 20)
            await plain.invalidate(cancelling: true)
            #expect(server.statistics.loginForms == 1)

            let session = systemFoundationSession(login: login, presenter: user, store: MemoryCredentialStore())
            for _ in 0..<2 {
                let (_, answer) = try await session.data(from: url)
                #expect((answer as? HTTPURLResponse)?.statusCode == 200)
            }
            session.invalidateAndCancel()
            #expect(server.statistics.loginForms == 2)
        }
    }

    @Test func `another user ends in a problem, until a logout`() async throws {
        try await run { server in
            let model = await JournalModel(try journal(server.baseURL, presenter: user))
            await model.load()
            server.endAllSessions()
            server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
            await model.load()
            #expect(await model.problem?.title == "Another user has signed in.")
            await model.logOut()
            server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
            await model.load()
            #expect(await model.problem == nil)
            #expect(await model.user?.sub == "mallory")
        }
    }

    @Test func `a refused login and missing connections are different problems`() async throws {
        try await run { server in
            let model = await JournalModel(try journal(server.baseURL, presenter: user))
            server.inject(.error("access_denied", status: 403), for: .authorizationCode)
            await model.load()
            #expect(await model.problem?.title == "The login was refused.")

            let nowhere = try #require(URL(string: "http://127.0.0.1:1/"))
            for (api, issuer) in [(nowhere, server.baseURL), (server.baseURL, nowhere)] {
                let model = await JournalModel(try journal(api, issuer: issuer, presenter: user))
                await model.load()
                #expect(await model.problem?.title == "There is no connection.")
            }
        }
    }

    @Test func `a session without a presenter shows no login, and uses what another one has stored`() async throws {
        try await run { server in
            let store = MemoryCredentialStore()
            let quiet = try journal(server.baseURL, presenter: nil, store: store)
            #expect(try await pageInBackground(of: quiet) == nil)
            _ = try await journal(server.baseURL, presenter: user, store: store).page()
            #expect(try await pageInBackground(of: quiet) != nil)
            #expect(server.statistics.loginForms == 1)
        }
    }
}
