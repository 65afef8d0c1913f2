import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// The error texts when a login page was shown and the server refused the input. The failure differs from that of a page that was
/// not shown, but has the same case of the SDK's errors.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct RefusedLoginTests {
    private static let canary = "c4n4ry-password"
    private static let wrong = FormFillingPresenter(user: "alice", password: canary)

    /// Expects the texts of a refusal, and the presenter's error behind them.
    private func expectRefusal(
        _ ending: Ending, in origin: (MockLandscape) -> URL, _ cause: (any Error)?, of mock: MockLandscape,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        ending.expectUsefulTexts(sourceLocation: sourceLocation)
        ending.expectTrace(sourceLocation: sourceLocation)
        let localized = ending.error as? any LocalizedError
        #expect(ending.error?.localizedDescription == "The login was refused.", sourceLocation: sourceLocation)
        #expect(
            localized?.failureReason
                == "The page asks again for values that were already sent. The page was at \(origin(mock).absoluteString).",
            sourceLocation: sourceLocation)
        #expect(
            localized?.recoverySuggestion == "Check what was entered, such as user name, password or passcode, then try again.",
            sourceLocation: sourceLocation)
        let printed = "\(ending.error.map { "\($0)" } ?? "nothing")"
        #expect(printed.hasPrefix("The login was refused. The page asks again"), sourceLocation: sourceLocation)
        #expect(!printed.contains("could not be"), sourceLocation: sourceLocation)
        guard let failure = cause as? PresentationFailure, case .refused(let error as FormFillingError) = failure else {
            Issue.record("no refusal is carried: \(String(describing: cause))", sourceLocation: sourceLocation)
            return
        }
        #expect(error.reason == .loginRefused, sourceLocation: sourceLocation)
    }

    @Test func `a wrong password on a SAML page is a refused login`() async throws {
        _ = try await ErrorBench.run("SAML", presenter: { _ in Self.wrong }) { bench in
            bench.session.register(SAMLObserver(settingsParameters: bench.settings))
            let ending = bench.end(try await bench.request(), challengedWith: 200, naming: "SAML")
            var cause: (any Error)?
            if case .webView(let error)? = ending.error as? SAMLError { cause = error }
            expectRefusal(ending, in: \.identityProviderURL, cause, of: bench.mock)
            #expect(bench.mock.statistics.wrongPasswords == 1)
            return ending
        }
    }

    @Test func `a wrong password on a page of OAuth 2 is a refused login`() async throws {
        _ = try await ErrorBench.run("OAuth2", presenter: { _ in Self.wrong }) { bench in
            let parameters = OAuth2AuthenticationParameters(
                settingsParameters: bench.settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
            bench.session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: MemoryTokenStore()))
            let ending = bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2")
            var cause: (any Error)?
            if case .webView(let error)? = ending.error as? OAuth2Error { cause = error }
            expectRefusal(ending, in: \.baseURL, cause, of: bench.mock)
            return ending
        }
    }

    @Test func `a wrong passcode is a refused login`() async throws {
        _ = try await ErrorBench.run(
            "SAML", presenter: { TwoFactorPresenter(.guesses, app: $0.authenticatorApp(for: "alice")) },
            options: { $0.passcodes.resources = .prefix("/orders") }
        ) { bench in
            bench.session.register(SAMLObserver(settingsParameters: bench.settings))
            let authenticator = OTPAuthenticator(settingsParameters: bench.settings)
            authenticator.callbackScheme = "com.example.refused\(bench.mock.baseURL.port ?? 0).xcallbackurl"
            bench.session.register(OTPObserver(authenticator: authenticator))
            let ending = bench.end(try await bench.request(), challengedWith: 200, naming: "OTP")
            var cause: (any Error)?
            if case .webView(let error)? = ending.error as? OTPError { cause = error }
            expectRefusal(ending, in: \.baseURL, cause, of: bench.mock)
            return ending
        }
    }

    @Test func `a presenter of an application's own is quoted if its error holds no secret`() async throws {
        struct Locked: SecretFreeError { let description = "the account is locked until tomorrow" }
        struct Private: Error, CustomStringConvertible { let description = "c4n4ry" }
        let causes: [(any Error, String)] = [
            (Locked(), "The account is locked until tomorrow."), (Private(), "The page did not accept what was entered."),
        ]
        for (error, reason) in causes {
            let refusal = PresentationFailure.refused(error)
            let failures: [any AuthenticationError] = [
                SAMLError.webView(error: refusal), OTPError.webView(error: refusal), OAuth2Error.webView(error: refusal),
            ]
            for failure in failures {
                #expect(failure.errorDescription == "The login was refused.")
                #expect(failure.failureReason == reason)
            }
        }
        let notShown = SAMLError.webView(error: Locked())
        #expect(notShown.errorDescription == "The login page could not be shown.")
        #expect(notShown.failureReason?.hasSuffix("The account is locked until tomorrow.") == true)
    }
}
