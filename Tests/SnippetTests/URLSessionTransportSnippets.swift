// The code of the section "The system's HTTP stack" of the guide "Apps for iOS and macOS".

import Countersign
import CountersignFoundation
import CountersignURLSession
import OpenIDConnect

// snippet: system
/// A session that sends with the system's `URLSession`.
func systemSession(
    login: OpenIDLoginParameters, presenter: any WebPresenter,
    store: any CredentialStore
) -> Session {
    var configuration = SessionConfiguration()
    configuration.presenter = presenter
    var network = URLSessionTransport.Configuration()
    network.idleTimeout = .seconds(30)
    let session = Session(
        configuration: configuration,
        transport: URLSessionTransport(configuration: network))
    session.register(
        OpenIDLoginObserver(parameters: login, store: store))
    return session
}
// end

// snippet: foundation
/// The same with the interface of the system's `URLSession`.
func systemFoundationSession(
    login: OpenIDLoginParameters, presenter: any WebPresenter,
    store: any CredentialStore
) -> FoundationSession {
    var configuration = FoundationSession.Configuration()
    configuration.presenter = presenter
    let session = FoundationSession(
        configuration: configuration, transport: URLSessionTransport())
    session.session.register(
        OpenIDLoginObserver(parameters: login, store: store))
    return session
}
// end
