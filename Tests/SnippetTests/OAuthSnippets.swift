// The code of the guide "Command line tools" for OAuth 2.0.

import Countersign
import CountersignAsyncHTTPClient
import CountersignBrowser
import Foundation
import OAuth

// snippet: oauth
/// A session with an API whose tokens come from an authorization server.
///
/// The redirect URL is registered there as `http://127.0.0.1/callback`.
func session(
    with api: URL, server: URL, redirectURL: URL, tokens: any CredentialStore
) -> Session {
    var configuration = SessionConfiguration()
    configuration.presenter = LoopbackPresenter()  // the user's browser
    let session = Session(
        configuration: configuration, transport: AsyncHTTPClientTransport())

    let parameters = AuthorizationCodeParameters(
        apis: [api], authorizationURL: server.appending(path: "authorize"),
        tokenURL: server.appending(path: "token"), clientID: "notes",
        redirectURL: redirectURL)
    session.register(
        AuthorizationCodeObserver(parameters: parameters, store: tokens))
    return session
}
// end
