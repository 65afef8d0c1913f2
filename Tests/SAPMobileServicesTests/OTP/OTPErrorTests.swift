import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// All failures of an authentication by passcode.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OTPErrorTests {
    @Test func `P11 a passcode that nobody has asked for is explained`() async throws {
        try await OTPBench.run { bench in
            let authenticator = OTPAuthenticator(settingsParameters: bench.settings)
            authenticator.callbackScheme = bench.scheme
            let error = await #expect(throws: OTPError.self) { try await authenticator.authenticate(session: bench.session) }
            guard case .webView(let cause as CountersignError)? = error else {
                Issue.record("expected webView, found \(String(describing: error))")
                return
            }
            #expect(cause.code == .pageRefused)
            #expect(cause.authenticationMethod == "OTP")
            #expect(cause.requestMethod == "GET")
            #expect(cause.origin == Origin(bench.mock.baseURL))
            #expect(cause.status == 404)
            let text = "\(error as Any)"
            for part in ["has not requested a passcode", "Log in with the first method", "OTP GET http://127.0.0.1:", "status 404"]
            {
                #expect(text.contains(part), "\(text)")
            }
            #expect(error?.recoverySuggestion?.contains("requested a passcode") == true)
            #expect(bench.counted.unasked == 1)
        }
    }

    @Test func `a page that cannot be loaded for another reason is the presenter's error`() async throws {
        try await OTPBench.run { bench in
            bench.mock.inject(.status(500), matching: "/mobileservices/OTPForm")
            guard case OTPError.webView(let error as FormFillingError)? = await bench.error() else {
                Issue.record("expected webView")
                return
            }
            #expect(error.status == 500)
            #expect(error.origin == Origin(bench.mock.baseURL))
        }
    }

    @Test func `a wrong passcode is no login`() async throws {
        try await OTPBench.run(.SAML, .guesses) { bench in
            guard case OTPError.webView(PresentationFailure.refused(let error as FormFillingError))? = await bench.error() else {
                Issue.record("expected webView")
                return
            }
            #expect(error.reason == .loginRefused)
            #expect(bench.counted.wrongCodes == 1)
            #expect(bench.counted.logins == 0)
        }
    }

    @Test func `a page that is closed is cancelled`() async throws {
        try await OTPBench.run(.SAML, .fails(.dismissed)) { bench in #expect(code(await bench.error()) == "cancelled") }
    }

    @Test func `an application in the background cannot ask`() async throws {
        try await OTPBench.run(.SAML, .fails(.background)) { bench in
            #expect(code(await bench.error()) == "backgroundAuthentication")
        }
    }

    @Test func `a passcode that is accepted and not honoured is rejected`() async throws {
        let mock = Weakly()
        try await OTPBench.run(.SAML, .typesAndThen { mock.value?.endPasscodeSessions() }) { bench in
            mock.value = bench.mock
            #expect(code(await bench.error()) == "credentialsRejected")
            #expect(bench.counted.logins == 1)
        }
    }

    @Test func `S1 there is one authentication at a time, and it can be cancelled`() async throws {
        try await OTPBench.run(.SAML, .waitsInAForeignBrowser) { bench in
            let authenticator = OTPAuthenticator(settingsParameters: bench.settings)
            authenticator.callbackScheme = bench.scheme
            authenticator.cancelAuthentication()
            async let first: (any Error)? = completion { authenticator.authenticate(session: bench.session, completionHandler: $0) }
            await bench.presenter.pageIsShown()
            let second = await completion { authenticator.authenticate(session: bench.session, completionHandler: $0) }
            #expect(code(second) == "authenticationInProgress")
            authenticator.cancelAuthentication()
            #expect(code(await first) == "cancelled")
        }
    }

    @Test func `S1 an authentication without a completion handler runs all the same`() async throws {
        try await OTPBench.run(.SAML, .waitsInAForeignBrowser) { bench in
            let authenticator = OTPAuthenticator(otpParameters: OTPParameters(settingsParameters: bench.settings))
            authenticator.callbackScheme = bench.scheme
            start(authenticator, in: bench.session)
            let presenter = bench.presenter
            try await within("the page for the passcode is shown") { await presenter.pageIsShown() }
            let second = await completion { authenticator.authenticate(session: bench.session, completionHandler: $0) }
            #expect(code(second) == "authenticationInProgress")
            authenticator.cancelAuthentication()
            let handler: @Sendable ((any Error)?) -> Void = OTPAuthenticator.defaultCompletionHandler
            handler(nil)
        }
    }

    /// Starts an authentication as S1 does: outside a task, and without a handler.
    private func start(_ authenticator: OTPAuthenticator, in session: SAPURLSession) {
        authenticator.authenticate(session: session)
    }

    @Test func `without a session the authenticator takes the one that its observer is registered on`() async throws {
        try await OTPBench.run(.SAML, .fails(.dismissed)) { bench in
            let authenticator = OTPAuthenticator(settingsParameters: bench.settings)
            authenticator.callbackScheme = bench.scheme
            let missing = await completion { authenticator.authenticate(completionHandler: $0) }
            #expect((missing as? CountersignError)?.code == .invalidRequest)
            bench.session.register(OTPObserver(authenticator: authenticator))
            let dismissed = await completion { authenticator.authenticate(completionHandler: $0) }
            #expect(code(dismissed) == "cancelled")
        }
    }

    @Test func `an address that is none is the runtime's error, for the method has no case for it`() async throws {
        try await OTPBench.run { bench in
            let url = try #require(URL(string: "http://elsewhere.example/form"))
            let authenticator = OTPAuthenticator(
                otpParameters: OTPParameters(authorizationEndpointURL: url, finishEndpointURL: url))
            let error = await #expect(throws: CountersignError.self) {
                try await authenticator.authenticate(session: bench.session)
            }
            #expect(error?.code == .insecureDestination)
            #expect(error?.authenticationMethod == "OTP")
        }
    }

    private func code(_ error: (any Error)?) -> String? { (error as? OTPError)?.code }

    private func completion(_ start: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
    }
}
