// swift-format-ignore-file

import Countersign
import Foundation
import SAPMobileServices
import SeedSampleSupport

/// What the seeds assume around their samples: a class of the application that stores tokens and has sessions, all for one test.
class Application: OAuth2TokenStore {
    let bench: SeedBench
    let sapURLSession: SAPURLSession
    private let tokens = MemoryTokenStore()

    init(_ bench: SeedBench) {
        self.bench = bench
        sapURLSession = bench.sapURLSession
    }

    func store(token: OAuth2Token, for url: URL) throws { try tokens.store(token: token, for: url) }
    func token(for url: URL) throws -> OAuth2Token? { tokens.token(for: url) }
    func deleteToken(for url: URL) throws { tokens.deleteToken(for: url) }

    /// Gives an OTP authenticator the scheme of its test, for tests run side by side.
    func separate(_ observer: OTPObserver) { (observer.authenticator as? OTPAuthenticator)?.callbackScheme = bench.scheme }
    func separate(_ authenticator: OTPAuthenticator) { authenticator.callbackScheme = bench.scheme }

    /// Logs in by the first factor, so that the passcode is asked for.
    func logInFirst() async throws {
        sapURLSession.register(SAMLObserver(settingsParameters: bench.settings))
        _ = try await sapURLSession.data(from: bench.resourceURL)
    }
}
