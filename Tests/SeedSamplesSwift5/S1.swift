// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares.

import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import SeedSampleSupport
import TestTurns
import Testing

// MARK: Setting up an OTPAuthenticator

extension Application {
    func s1Settings() -> OTPAuthenticator {
        // sample S1-Settings: Setting up an OTPAuthenticator, using SAPcpms
        let settingsParameters = SAPcpmsSettingsParameters(backendURL: bench.mock.baseURL, applicationID: "com.example.app")
        let authenticator = OTPAuthenticator(settingsParameters: settingsParameters, webViewPresenter: WKWebViewPresenter())
        // end
        return authenticator
    }

    func s1Advanced(_ urlSession: SAPURLSession) throws {
        // sample S1-Advanced: Setting up an OTPAuthenticator, using advanced
        let otpParameters = OTPParameters(authorizationEndpointURL: try bench.url("/mobileservices/OTPForm?redirecttooriginalurl=false"), finishEndpointURL: try bench.url("/mobileservices/OTPForm?finished=true"))
        let authenticator = OTPAuthenticator(otpParameters: otpParameters, webViewPresenter: WKWebViewPresenter())

        // recommended step (3.)
        let observer = OTPObserver(authenticator: authenticator)

        // obtain urlSession
        urlSession.register(observer)
        // end
        separate(authenticator)
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S1 setting up` {
    @Test func `S1-Settings answers challenges in a web view`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let application = Application(bench)
            try await application.logInFirst()
            let authenticator = application.s1Settings()
            application.separate(authenticator)
            bench.sapURLSession.register(OTPObserver(authenticator: authenticator))
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.passcodes.logins == 1)
        }
    }

    @Test func `S1-Advanced answers challenges in a web view`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let application = Application(bench)
            try await application.logInFirst()
            try application.s1Advanced(bench.sapURLSession)
            let user = try await bench.user()
            #expect(user == "alice")
            #expect(bench.mock.statistics.passcodes.logins == 1)
        }
    }
}

// MARK: Usage

extension Application {
    func s1Authenticate(_ authenticator: OTPAuthenticator, _ session: SAPURLSession) async -> Error? {
        let answer = Answer(of: Error?.self)
        // sample S1-Authenticate: Starting the authentication flow
        authenticator.authenticate(session: session) { error in
            if let error = error {
                // If there was an error during the authentication process (web view presentation, or network related), it can be handled here.
                answer.give(error) // ours
                return
            }
            // If there was no error (error is `nil`) then the authentication was successful and the following requests to this endpoint should not encounter OTP challenges.
            answer.give(nil) // ours
        }
        // end
        return await answer.value ?? CancellationError()
    }

    func s1Cancel(_ authenticator: OTPAuthenticator) {
        // sample S1-Cancel: Cancelling an ongoing authentication
        authenticator.cancelAuthentication()
        // end
    }
}

@MainActor
private final class S1AppDelegate: UIResponder, UIApplicationDelegate {
    // sample S1-AppDelegate: Automatic flow (SAPcpms)
    func application(_ app: UIApplication, open url: URL, options: [UIApplicationOpenURLOptionsKey : Any] = [:]) -> Bool {
        return AppDelegateDispatcher.application(app, open: url, options: options)
    }
    // end

    /// What the system does when the authenticator app opens the application.
    static func open(_ url: URL) -> Bool {
        let delegate: UIApplicationDelegate = S1AppDelegate()
        return delegate.application(.shared, open: url, options: [.sourceApplication: MockAuthenticatorApp.identifier])
    }
}

// sample S1-Info: the URL type of Info.plist
private let s1Info = """
    <key>CFBundleURLTypes</key>
    <array>
        <dict>
            <key>CFBundleTypeRole</key>
            <string>Editor</string>
            <key>CFBundleURLName</key>
            <string>your-application-id.xcallbackurl</string>
            <key>CFBundleURLSchemes</key>
            <array>
                <string>your-application-id.xcallbackurl</string>
            </array>
        </dict>
    </array>
    """
// end

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S1 usage` {
    private func run(_ habit: SeedPerson.Habit, _ body: (Application, OTPAuthenticator) async throws -> Void) async throws {
        try await SeedBench.run("SAML", passcodes: true, habit) { bench in
            let application = Application(bench)
            let observer = SAMLObserver(authenticator: SAMLAuthenticator(settingsParameters: bench.settings, webViewPresenter: FormFillingPresenter(user: "alice", password: "wonderland")))
            bench.sapURLSession.register(observer)
            _ = try await bench.sapURLSession.data(from: bench.resourceURL)
            let authenticator = application.s1Settings()
            application.separate(authenticator)
            try await body(application, authenticator)
        }
    }

    @Test func `S1-Authenticate gives the passcode`() async throws {
        try await run(.fillsInForms) { application, authenticator in
            #expect(await application.s1Authenticate(authenticator, application.sapURLSession) == nil)
            let user = try await application.bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S1-AppDelegate lets the page go on with what the authenticator app brings`() async throws {
        try await run(.waitsForTheApp) { application, authenticator in
            let bench = application.bench
            async let error = application.s1Authenticate(authenticator, application.sapURLSession)
            await bench.person.pageIsShown()
            let url = try #require(bench.mock.authenticatorApp(for: "alice").callback(scheme: bench.scheme))
            #expect(await S1AppDelegate.open(url))
            #expect(await error == nil)
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S1-Cancel ends the authentication with its error`() async throws {
        try await run(.doesNothing) { application, authenticator in
            async let error = application.s1Authenticate(authenticator, application.sapURLSession)
            await application.bench.person.pageIsShown()
            application.s1Cancel(authenticator)
            let ended = await error
            #expect((ended as? OTPError)?.code == "cancelled", "\(ended as Any)")
        }
    }

    @Test func `S1-Info lists the scheme that the callback has`() throws {
        let text = "<plist version=\"1.0\"><dict>\(s1Info)</dict></plist>"
        let list = try #require(try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
        let types = try #require(list["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.first?["CFBundleURLSchemes"] as? [String] == ["your-application-id.xcallbackurl"])
    }
}

// MARK: Using your own web view presenter implementation

// sample S1-Presenter: Using your own web view presenter implementation
class MyWebViewPresenter: WKWebViewPresenting {
    weak var delegate: WebViewPresenterDelegate?
    weak var webViewDelegate: SAPWKNavigationDelegate?

    public func presentWebView(completionHandler: @escaping (WKWebView?, Error?) -> Void) {
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

private func s1Presenter(_ parameters: OTPParameters) -> OTPAuthenticator { // ours
    let presenter: WKWebViewPresenting = MyWebViewPresenter()
    // Use the initializer which accepts custom web view presenters
    let authenticator = OTPAuthenticator(otpParameters: parameters, webViewPresenter: presenter)
    // end
    return authenticator
}

extension Application {
    func s1CustomURLs() throws -> OTPAuthenticator {
        // sample S1-CustomURLs: instantiating OTPAuthenticator with custom URLs
        let otpParameters = OTPParameters(authorizationEndpointURL: try bench.url("/mobileservices/OTPForm?redirecttooriginalurl=false"), finishEndpointURL: try bench.url("/mobileservices/OTPForm?finished=true"))

        let authenticator = OTPAuthenticator(otpParameters: otpParameters)
        // end
        return authenticator
    }

    func s1Custom(_ authenticator: OTPAuthenticator) async -> Error? {
        let answer = Answer(of: Error?.self)
        // sample S1-Custom: authenticating with custom OTPAuthenticator
        authenticator.authenticate { error in
            if let error = error {
                // If there was an error during the authentication process (web view presentation, or network related), it can be handled here.
                answer.give(error) // ours
                return
            }
            // If there was no error (error is `nil`) then the authentication was successful and the following requests to this endpoint should not encounter OTP challenges.
            answer.give(nil) // ours
        }
        // end
        return await answer.value ?? CancellationError()
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S1 presenters and URLs of one's own` {
    @Test func `S1-Presenter shows the page for the passcode`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let application = Application(bench)
            try await application.logInFirst()
            let authenticator = s1Presenter(OTPParameters(settingsParameters: bench.settings))
            application.separate(authenticator)
            try await authenticator.authenticate(session: bench.sapURLSession)
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }

    @Test func `S1-CustomURLs and S1-Custom give the passcode after a challenge`() async throws {
        try await SeedBench.run("SAML", passcodes: true) { bench in
            let application = Application(bench)
            try await application.logInFirst()
            let authenticator = try application.s1CustomURLs()
            application.separate(authenticator)
            bench.sapURLSession.register(OTPObserver(authenticator: authenticator))
            #expect(await application.s1Custom(authenticator) == nil)
            let user = try await bench.user()
            #expect(user == "alice")
        }
    }
}
