// The code of the guide "Security and threat model".

import Countersign
import CountersignAsyncHTTPClient
import CountersignBrowser
import CountersignFileStore
import Foundation
import HTTPTypes
import OAuth

// snippet: strict
/// A session for one API, with each choice that the application has to make.
func strictSession(
    api: URL, server: URL, issuer: String, redirectURL: URL,
    keptIn folder: URL, key: any StoreKeySource
) -> Session {
    var configuration = SessionConfiguration()
    configuration.presenter = LoopbackPresenter()  // not a view of our own
    configuration.dismissalCoolDown = .seconds(30)

    var transport = AsyncHTTPClientTransport.Configuration()
    transport.minimumTLSVersion = .tls13

    let session = Session(
        configuration: configuration,
        transport: AsyncHTTPClientTransport(configuration: transport))
    session.register(
        AuthorizationCodeObserver(
            parameters: AuthorizationCodeParameters(
                apis: [api],  // no other origin receives the token
                authorizationURL: server.appending(path: "authorize"),
                tokenURL: server.appending(path: "token"),
                clientID: "notes", redirectURL: redirectURL,
                revocationURL: server.appending(path: "revoke"),
                scopes: "notes.read",  // and no more
                issuer: issuer),  // RFC 9207
            store: EncryptedFileStore(folder: folder, key: key)))
    return session
}
// end

// snippet: pins
/// A request that goes to no server but one with a known key.
func pinnedRequest(_ url: URL, pins: [String]) throws -> SessionRequest {
    var request = SessionRequest(HTTPRequest(url: url))
    request.pins = try ServerPins(pins)
    return request
}
// end

// snippet: links
/// A link from an answer of the API; `nil` if it leads to another server.
func nextPage(_ link: String, of page: URL) -> URL? {
    guard let url = URL(string: link, relativeTo: page)?.absoluteURL,
        let origin = Origin(url), origin == Origin(page)
    else { return nil }
    return url
}
// end
