// The test of the guide "Command line tools".

import Countersign
import CountersignTesting
import Foundation
import TestTurns
import Testing

// snippet: test
@Test(.takesTurns) func `a second run of the tool needs no login`() async throws {
    var options = MockOAuth2Options()
    options.openID = MockOpenIDOptions()
    options.scopes = ["openid", "offline_access"]
    try await MockAuthorizationServer.run(options: options) { server in
        let redirectURL = try #require(
            URL(string: "http://127.0.0.1/callback"))
        let store = MemoryCredentialStore()
        func tool() -> NotesTool {
            NotesTool(
                api: server.baseURL, issuer: server.baseURL,
                clientID: MockOAuth2Client.app.id, redirectURL: redirectURL,
                presenter: FormFillingPresenter(
                    user: "alice", password: "wonderland"),
                store: store)
        }
        #expect(await run("login", of: tool()) == 0)
        #expect(await run("notes", of: tool()) == 0)
        #expect(server.statistics.loginForms == 1)
        #expect(await run("logout", of: tool()) == 0)
        #expect(await run("notes", of: tool()) == 0)
        #expect(server.statistics.loginForms == 2)
    }
}
// end
