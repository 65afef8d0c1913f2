// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares.

import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SeedSampleSupport
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: Setting up an OAuth2Authenticator

extension Application {
    func s4AuthorizationCode() throws -> (session: SAPURLSession, authenticator: OAuth2Authenticator) {
        // sample S4-Code: Authorization Code Grant
        // Create the wrapper with the server side configuration
        let oauth2AuthenticationParameters = OAuth2AuthenticationParameters(authorizationEndpointURL: try bench.url("/oauth2/api/v1/authorize"), clientID: "countersign", redirectURL: try bench.oauth2.redirectURL, tokenEndpointURL: try bench.url("/oauth2/api/v1/token"), requestingScopes: ["read"])

        // Create (or acquire) the SAPURLSession. This instance will be used for exchanging code grant for token, and for refreshing an expired token.
        let urlSession = SAPURLSession()

        // Create the authenticator
        let authenticator = OAuth2Authenticator(authenticationParameters: oauth2AuthenticationParameters, urlSession: urlSession)

        // recommended step (5.)
        let observer = OAuth2Observer(authenticator: authenticator, tokenStore: self)
        urlSession.register(observer)

        // optional step (6.)
        let authenticatorWithCustomWebViewPresenter = OAuth2Authenticator(authenticationParameters: oauth2AuthenticationParameters, urlSession: urlSession, webViewPresenter: WKWebViewPresenter())
        // end
        return (urlSession, authenticatorWithCustomWebViewPresenter)
    }

    func s4ClientCredentials() throws -> OAuth2Authenticator {
        // sample S4-ClientCredentials: Client Credentials Grant
        // Create the wrapper with the server side configuration
        let tokenEndpointURL = URL(string: "\(bench.mock.baseURL)/oauth2/api/v1/token")!
        let scopes = Set<String>()

        let name = "countersign-service"
        let secret = "it's a s3cret: %&+/?"

        let parameters = try OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: tokenEndpointURL, requestingScopes: scopes, name: name, secret: secret)

        // Create the OAuth2Observer using the convenience initializer
        let authenticator = OAuth2Authenticator(clientCredentialsAuthenticationParameters: parameters)
        // end
        return authenticator
    }

    func s4Authenticate(_ authenticator: OAuth2Authenticator) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S4-Authenticate: Requesting OAuth2 tokens (authenticate)
        authenticator.authenticate { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }

    func s4Refresh(_ authenticator: OAuth2Authenticator, _ expiredToken: OAuth2Token) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S4-Refresh: Refreshing OAuth2 tokens
        authenticator.refresh(token: expiredToken) { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }

    func s4Cancel(_ authenticator: OAuth2Authenticator) {
        // sample S4-Cancel: Cancelling authentication
        authenticator.cancelAuthentication()
        // end
    }

    func s4AuthenticateAgain(_ authenticator: OAuth2Authenticator) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S4-AuthenticateAgain: an authentication flow
        authenticator.authenticate { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }

    func s4RefreshAgain(_ authenticator: OAuth2Authenticator, _ expiredToken: OAuth2Token) async throws -> OAuth2Token? {
        let answer = Answer(of: Result<OAuth2Token?, Error>.self)
        // sample S4-RefreshAgain: a refresh flow
        authenticator.refresh(token: expiredToken) { token, error in
            if let error = error {
                // If there was an error during the authentication flow then the error can be handled here.
                // Request towards OAuth 2 protected resources will fail without a successful OAuth2 authentication and token acquisition.
                answer.give(.failure(error)) // ours
                return
            }
            // When the error property is nil that means the OAuth 2 authentication was successful and a OAuth 2 token is acquired.
            // Store the acquired OAuth 2 token and add its access token to all HTTP request directed to OAuth 2 protected resources.
            answer.give(.success(token)) // ours
        }
        // end
        return try await answer.value?.get()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S4 authenticators` {
    @Test func `S4-Code, S4-Authenticate and S4-Refresh get one token after the other in a web view`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            let (session, authenticator) = try application.s4AuthorizationCode()
            let token = try #require(try await application.s4Authenticate(authenticator))
            let newToken = try #require(try await application.s4Refresh(authenticator, token))
            #expect(newToken.accessToken != token.accessToken)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1, .refreshToken: 1])
            // The observer of the sample sends what the class around it has stored.
            try application.store(token: newToken, for: bench.mock.baseURL)
            let user = try await bench.user(in: session)
            #expect(user == "alice")
            session.invalidateAndCancel()
        }
    }

    @Test func `S4-AuthenticateAgain and S4-RefreshAgain get one token after the other`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            let authenticator = OAuth2Authenticator(authenticationParameters: try bench.oauth2, urlSession: bench.sapURLSession)
            let token = try #require(try await application.s4AuthenticateAgain(authenticator))
            let newToken = try #require(try await application.s4RefreshAgain(authenticator, token))
            #expect(newToken.accessToken != token.accessToken)
        }
    }

    @Test func `S4-ClientCredentials gets a token without a user, and its observer sends it`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            let authenticator = try application.s4ClientCredentials()
            let token = try #require(try await application.s4Authenticate(authenticator))
            #expect(!token.accessToken.isEmpty)
            bench.sapURLSession.register(OAuth2Observer(authenticator: authenticator, tokenStore: application))
            _ = try await bench.user()
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.clientCredentials: 2])
        }
    }

    @Test func `S4-Cancel ends the authentication with its error`() async throws {
        try await SeedBench.run("OAuth2", .doesNothing) { bench in
            let application = Application(bench)
            let authenticator = OAuth2Authenticator(authenticationParameters: try bench.oauth2, urlSession: bench.sapURLSession)
            async let answer = application.s4Authenticate(authenticator)
            await bench.person.pageIsShown()
            application.s4Cancel(authenticator)
            do {
                _ = try await answer
                Issue.record("expected an error")
            } catch {
                #expect((error as? OAuth2Error)?.code == "cancelled", "\(error)")
            }
        }
    }
}

// MARK: Using the default web view presenter

// sample S4-Delegates: Authorization Code Grant, the delegates
class AppDelegate: UIResponder, UIApplicationDelegate {

    func application(_ app: UIApplication, open url: URL, options: [UIApplicationOpenURLOptionsKey : Any] = [:]) -> Bool {
        return AppDelegateDispatcher.application(app, open: url, options: options)
    }

}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        SceneDelegateDispatcher.scene(scene, openURLContexts: URLContexts)
    }

}
// end

/// What the system does when the login page sends the browser to the application.
@MainActor
private func open(_ url: URL, inAScene: Bool) {
    if inAScene {
        let delegate: UIWindowSceneDelegate = SceneDelegate()
        delegate.scene(UIScene(), openURLContexts: [UIOpenURLContext(url: url)])
    } else {
        let delegate: UIApplicationDelegate = AppDelegate()
        #expect(delegate.application(.shared, open: url, options: [:]))
    }
}

// sample S4-Info: the URL scheme of Info.plist
private let s4Info = """
    <key>CFBundleURLTypes</key>
    <array>
        <dict>
            <key>CFBundleTypeRole</key>
            <string>Editor</string>
            <key>CFBundleURLName</key>
            <string>com.company.application.oauth</string>
            <key>CFBundleURLSchemes</key>
            <array>
                <string>com.company.application.oauth</string>
            </array>
        </dict>
    </array>
    """
// end

// MARK: Using your own web view presenter implementation

// sample S4-Presenter: Using your own web view presenter implementation
class MyViewController: WKWebViewPresenting, @unchecked Sendable {
    weak var delegate: WebViewPresenterDelegate?
    weak var webViewDelegate: SAPWKNavigationDelegate?

    func presentWebView(completionHandler: @escaping (WKWebView?, Error?) -> Void) {
        // TODO:
        // - acquire reference to `UIViewController`
        // - present the view controller which contains a `WKWebView`
        // - pass the `WKWebView` instance to the completionHandler
        // - pass an `Error` instance to the completionHandler if there was an error during presentation
        completionHandler(WKWebView(), nil) // ours
    }

    func dismissWebView() {
        // TODO:
        // - acquire reference to presented `UIViewController` (or the presenting view controller)
        // - dismiss the presented view controller
    }
}

private func s4Presenter(_ parameters: OAuth2AuthenticationParameters, _ session: SAPURLSession) -> OAuth2Authenticator { // ours
    let presenter: WebViewPresenting = MyViewController()
    let authenticator = OAuth2Authenticator(using: parameters, urlSession: session, webViewPresenter: presenter)
    // end
    return authenticator
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S4 presenters` {
    @Test(arguments: [false, true])
    func `S4-Delegates bring the redirect back to the login that waits for it`(inAScene: Bool) async throws {
        try await SeedBench.run("OAuth2") { bench in
            let browser = OutsideBrowser(bench)
            let presenter = DispatchedPresenter { page in await open(try await browser.end(of: page), inAScene: inAScene) }
            bench.sapURLSession.register(OAuth2Observer(authenticationParameters: try bench.oauth2, tokenStore: Application(bench), webViewPresenter: presenter))
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S4-Info lists the scheme that the redirect URL has`() throws {
        let text = "<plist version=\"1.0\"><dict>\(s4Info)</dict></plist>"
        let list = try #require(try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
        let types = try #require(list["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.first?["CFBundleURLSchemes"] as? [String] == ["com.company.application.oauth"])
    }

    @Test func `S4-Presenter shows the login page`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let session = SAPURLSession()
            let authenticator = s4Presenter(try bench.oauth2, session)
            #expect(try await !authenticator.authenticate().accessToken.isEmpty)
            session.invalidateAndCancel()
        }
    }
}
