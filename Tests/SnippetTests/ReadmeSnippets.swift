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
    configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")  // or a web view, a browser, …
    let session = SAPURLSession(configuration: configuration)

    let settings = SAPcpmsSettingsParameters(backendURL: backend, applicationID: application)
    session.register(SAMLObserver(settingsParameters: settings))

    let (data, _) = try await session.data(from: backend.appending(path: "orders"))  // challenged, answered, sent again
    return data
}
// end

// snippet: tokens
import CountersignBrowser
import CountersignFileStore

/// The redirect URL is registered with the server as `http://127.0.0.1/callback`; the port is free.
func useTokens(of backend: URL, in session: SAPURLSession, redirectURL: URL, keptIn folder: URL, key: StoreKey) {
    let settings = SAPcpmsSettingsParameters(backendURL: backend, applicationID: "com.example.orders")
    let parameters = OAuth2AuthenticationParameters(settingsParameters: settings, clientID: "orders", redirectURL: redirectURL)
    let tokens = CredentialTokenStore(EncryptedFileStore(folder: folder, key: key))
    session.register(
        OAuth2Observer(
            authenticationParameters: parameters, tokenStore: tokens, webViewPresenter: LoopbackPresenter(),
            protectedURLs: [backend]))
}
// end

// snippet: errors
func load(_ request: URLRequest, in session: SAPURLSession) async throws -> Data? {
    do {
        return try await session.data(for: request).0
    } catch SAMLError.cancelled {
        return nil  // the person closed the login page
    } catch let error as SAMLError {
        print(error.localizedDescription, error.recoverySuggestion ?? "")
        throw error
    }
}
// end

// snippet: logging
func loggingSession() -> SAPURLSession {
    var configuration = SAPURLSession.Configuration()
    configuration.session.logger = Landscape.sapMobileServices.logger  // SAP.Foundation.Authentication
    return SAPURLSession(configuration: configuration)
}
// end
