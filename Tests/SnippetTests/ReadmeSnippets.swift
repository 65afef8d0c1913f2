// The code of README.md and of the documentation, compiled. `SnippetTests` compares each code block with the regions of these files.

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: use
import CountersignTesting
import Foundation
import SAPMobileServices

func orders(of backend: URL, for application: String) async throws -> Data {
    var configuration = SAPURLSession.Configuration()
    // A scripted user. Applications use a web view or a browser instead.
    configuration.presenter = FormFillingPresenter(
        user: "alice", password: "wonderland")
    let session = SAPURLSession(configuration: configuration)

    let settings = SAPcpmsSettingsParameters(
        backendURL: backend, applicationID: application)
    session.register(SAMLObserver(settingsParameters: settings))

    // The observer answers the challenge, and the request is resent.
    let url = backend.appending(path: "orders")
    return try await session.data(from: url).0
}
// end

// snippet: tokens
import CountersignBrowser
import CountersignFileStore

/// The redirect URL is registered with the server as
/// `http://127.0.0.1/callback`. Each login uses a free port.
func useTokens(
    of backend: URL, in session: SAPURLSession, redirectURL: URL,
    keptIn folder: URL, key: StoreKey
) {
    let settings = SAPcpmsSettingsParameters(
        backendURL: backend, applicationID: "com.example.orders")
    let parameters = OAuth2AuthenticationParameters(
        settingsParameters: settings, clientID: "orders",
        redirectURL: redirectURL)
    let tokens = CredentialTokenStore(
        EncryptedFileStore(folder: folder, key: key))
    session.register(
        OAuth2Observer(
            authenticationParameters: parameters, tokenStore: tokens,
            webViewPresenter: LoopbackPresenter(), protectedURLs: [backend]))
}
// end

// snippet: errors
func load(
    _ request: URLRequest, in session: SAPURLSession
) async throws -> Data? {
    do {
        return try await session.data(for: request).0
    } catch SAMLError.cancelled {
        return nil  // the user closed the login page
    } catch let error as SAMLError {
        print(error.localizedDescription, error.recoverySuggestion ?? "")
        throw error
    }
}
// end

// snippet: logging
func loggingSession() -> SAPURLSession {
    var configuration = SAPURLSession.Configuration()
    // The label of the logger is `SAP.Foundation.Authentication`.
    configuration.session.logger = Landscape.sapMobileServices.logger
    return SAPURLSession(configuration: configuration)
}
// end
