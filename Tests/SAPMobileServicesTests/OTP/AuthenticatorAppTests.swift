import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

/// The automatic flow of S1: the authenticator app opens the application with the passcode.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct AuthenticatorAppTests {
    private let fromTheApp = OpenURLOptions(sourceApplication: MockAuthenticatorApp.identifier)

    /// Runs a test with a request whose passcode page waits for the app.
    private func run(
        _ person: TwoFactorPresenter.Person = .waits,
        _ body: (OTPBench, OTPAuthenticator, _ answer: () async -> Result<String, any Error>) async throws -> Void
    ) async throws {
        let made = Made()
        func observer(_ settings: SAPcpmsSettingsParameters) -> OTPObserver {
            let authenticator = OTPAuthenticator(settingsParameters: settings)
            made.authenticator = authenticator
            return OTPObserver(authenticator: authenticator)
        }
        try await OTPBench.run(.SAML, person, otp: observer) { bench in
            let authenticator = try #require(made.authenticator)
            let request = Task { try await bench.user() }
            defer { request.cancel() }
            await bench.presenter.pageIsShown()
            try await body(bench, authenticator) { await request.result }
        }
    }

    @Test func `M17 the waiting page continues with the app's passcode`() async throws {
        try await run { bench, _, answer in
            let url = try #require(bench.app.callback(scheme: bench.scheme))
            #expect(AppDelegateDispatcher.application(open: url, options: fromTheApp))
            #expect(try await answer().get() == "alice")
            #expect(bench.counted.logins == 1)
            // No authentication waits for the URL any longer.
            #expect(!AppDelegateDispatcher.application(open: url, options: fromTheApp))
        }
    }

    @Test func `the authenticator takes the URL itself, too, and so does a scene`() async throws {
        try await run { bench, authenticator, answer in
            let observing: any AppDelegateObserving = authenticator
            let url = try #require(bench.app.callback(scheme: bench.scheme.uppercased()))
            #expect(observing.application(open: url, options: OpenURLOptions()))
            #expect(try await answer().get() == "alice")
        }
        try await run { bench, _, answer in
            let url = try #require(bench.app.callback(scheme: bench.scheme))
            #expect(SceneDelegateDispatcher.scene(openURLs: [(url, fromTheApp)]) == [url])
            #expect(try await answer().get() == "alice")
        }
    }

    @Test func `a wrong code gets the form again, and the next one can be brought`() async throws {
        try await run { bench, _, answer in
            let code = bench.app.code
            let good = try #require(bench.app.callback(scheme: bench.scheme))
            let bad = try #require(URL(string: good.absoluteString.replacing(code, with: "wrong")))
            #expect(AppDelegateDispatcher.application(open: bad, options: fromTheApp))
            await bench.presenter.pageIsShown()
            #expect(AppDelegateDispatcher.application(open: good, options: fromTheApp))
            #expect(try await answer().get() == "alice")
        }
    }

    @Test func `M17 what is not the app's is refused, and the page goes on waiting`() async throws {
        try await run { bench, authenticator, answer in
            let good = try #require(bench.app.callback(scheme: bench.scheme))
            let text = good.absoluteString
            let code = bench.app.code
            func refuse(_ text: String, _ options: OpenURLOptions, _ refusal: CallbackRefusal) throws {
                let url = try #require(URL(string: text))
                #expect(!authenticator.application(open: url, options: options))
                #expect(!AppDelegateDispatcher.application(open: url, options: options))
                #expect(throws: refusal) { try CallbackRouter.shared.open(url, options: options) }
            }
            try refuse(text, OpenURLOptions(sourceApplication: "com.example.stranger"), .otherApplication)
            try refuse(text.replacing("com.sap.authenticator", with: "com.example.stranger"), fromTheApp, .otherApplication)
            try refuse(text.replacing("x-source=com.sap.authenticator&", with: ""), OpenURLOptions(), .otherApplication)
            try refuse(text + "&passcode_paramvalue=1", fromTheApp, .repeatedParameter)
            try refuse(text + "&x-source=a", fromTheApp, .repeatedParameter)
            try refuse(text.replacing("passcode_paramvalue", with: "other"), fromTheApp, .missingParameter("passcode_paramvalue"))
            try refuse(text.replacing(code, with: ""), fromTheApp, .missingParameter("passcode_paramvalue"))
            try refuse(text.replacing("username_paramvalue", with: "other"), fromTheApp, .missingParameter("username_paramvalue"))
            try refuse(text.replacing("/setCredential", with: "/other"), fromTheApp, .notAwaited)
            try refuse(text.replacing("x-callback-url/", with: "other/"), fromTheApp, .notAwaited)
            try refuse(text.replacing(bench.scheme, with: "com.example.other.xcallbackurl"), fromTheApp, .notAwaited)
            #expect(bench.counted.wrongCodes == 0)
            let lines = bench.log.lines
            #expect(lines.contains { $0.contains("does not come from the application") && $0.contains("OTP") })
            #expect(!lines.contains { $0.contains(code) })
            #expect(AppDelegateDispatcher.application(open: good, options: fromTheApp))
            #expect(try await answer().get() == "alice")
            #expect(!bench.log.lines.contains { $0.contains(code) })
        }
    }

    @Test func `another application can be named`() async throws {
        try await run { bench, authenticator, answer in
            #expect(authenticator.externalAuthenticatorApplicationID == "com.sap.authenticator")
            authenticator.externalAuthenticatorApplicationID = "com.example.codes"
            let text = try #require(bench.app.callback(scheme: bench.scheme)).absoluteString
            let own = try #require(
                URL(string: text.replacing("x-source=com.sap.authenticator", with: "x-source=com.example.codes")))
            #expect(!authenticator.application(open: own, options: fromTheApp))
            #expect(authenticator.application(open: own))
            #expect(try await answer().get() == "alice")
        }
    }

    @Test func `M31 a URL that two waiting pages would take goes to neither, and both are notified`() async throws {
        try await run { first, _, firstAnswer in
            try await run { second, other, secondAnswer in
                other.callbackScheme = first.scheme
                let url = try #require(first.app.callback(scheme: first.scheme))
                #expect(!AppDelegateDispatcher.application(open: url, options: fromTheApp))
                #expect(throws: CallbackRefusal.ambiguous(waiting: 2)) { try CallbackRouter.shared.open(url, options: fromTheApp) }
                for bench in [first, second] {
                    #expect(bench.log.lines.contains { $0.contains("2 login pages are waiting for this URL") })
                    #expect(bench.counted.wrongCodes == 0)
                }
                other.callbackScheme = second.scheme
                #expect(AppDelegateDispatcher.application(open: url, options: fromTheApp))
                let mine = try #require(second.app.callback(scheme: second.scheme))
                #expect(AppDelegateDispatcher.application(open: mine, options: fromTheApp))
                #expect(try await firstAnswer().get() == "alice")
                #expect(try await secondAnswer().get() == "alice")
            }
        }
    }

    @Test func `a presenter that cannot be moved says so`() async throws {
        try await run(.waitsInAForeignBrowser) { bench, authenticator, _ in
            let url = try #require(bench.app.callback(scheme: bench.scheme))
            #expect(throws: CallbackRefusal.presenterCannotMove) { try CallbackRouter.shared.open(url, options: fromTheApp) }
            #expect(!authenticator.application(open: url, options: fromTheApp))
            #expect(bench.log.lines.contains { $0.contains("cannot navigate") })
            authenticator.cancelAuthentication()
        }
    }

    @Test func `S1 the validation URL is the form's with two items more`() throws {
        let form = try #require(URL(string: "https://www.myhost.com/mobileservices/OTPForm?redirecttooriginalurl=false"))
        let authenticator = OTPAuthenticator(otpParameters: OTPParameters(authorizationEndpointURL: form, finishEndpointURL: form))
        let items = [
            URLQueryItem(name: "x-source", value: "com.sap.authenticator"),
            URLQueryItem(name: "username_paramvalue", value: "jürgen & co"),
            URLQueryItem(name: "passcode_paramvalue", value: "123456"),
        ]
        #expect(
            authenticator.validationEndpointURL(from: items)?.absoluteString
                == form.absoluteString + "&username=j%C3%BCrgen%20%26%20co&passcode=123456")
        #expect(authenticator.validationEndpointURL(from: []) == nil)
        #expect(authenticator.validationEndpointURL(from: Array(items.dropLast())) == nil)
        #expect(authenticator.validationEndpointURL(from: items + items) == nil)
        #expect(
            authenticator.validationEndpointURL(from: [items[1], URLQueryItem(name: "passcode_paramvalue", value: nil)]) == nil)
    }
}

private final class Made {
    var authenticator: OTPAuthenticator?
}
