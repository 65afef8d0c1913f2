import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A one-time passcode after another method, with the generated observers of both. The user is logged in, and many requests need
/// the second factor.
struct OTPScenario: DemoScenario {
    /// The method before the passcode.
    enum FirstFactor: String {
        case saml = "SAML"
        case oauth2 = "OAuth2"
    }

    let first: FirstFactor
    let method = "OTP"
    var row: String { "\(first.rawValue) + OTP" }

    var mockOptions: MockOptions {
        var options = MockOptions()
        options.protection = first.rawValue
        return options
    }

    func authentications(at mock: MockLandscape) -> Int { mock.statistics.passcodes.logins }

    /// Logs in with the first factor, because the row shows only the second one.
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws {
        _ = try await client.get(mock.baseURL.appending(path: "resource/\(first.rawValue)/first-factor"))
    }

    /// The client keeps both factors, but the server only recognises the first one.
    func forget(_ mock: MockLandscape, _ client: any DemoClient) {
        mock.endPasscodeSessions()
        mock.advancePasscodes()
    }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo")
        let presenter = PasscodePresenter(app: mock.authenticatorApp(for: "alice"))
        let client: SessionClient
        let probe: SessionClient
        switch first {
        case .saml:
            client = SessionClient(options) { SAMLObserver(settingsParameters: settings) }
            probe = SessionClient(DemoClientOptions(simultaneousRequests: 1)) { SAMLObserver(settingsParameters: settings) }
        case .oauth2:
            client = try OAuth2Client.withCode(for: mock, options: options)
            probe = try OAuth2Client.withCode(for: mock, options: DemoClientOptions(simultaneousRequests: 1))
        }
        let authenticator = OTPAuthenticator(settingsParameters: settings, webViewPresenter: ExchangeCounter.presenter(presenter))
        authenticator.callbackScheme = "com.example.demo\(mock.baseURL.port ?? 0).xcallbackurl"
        client.session.register(OTPObserver(authenticator: authenticator))
        return Client(base: client, probing: probe)
    }

    /// Enters the code that the user's app shows.
    private struct PasscodePresenter: WebPresenter {
        let app: MockAuthenticatorApp

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            try await FormFillingPresenter(values: ["j_passcode": app.code]).present(presentation)
        }
    }

    private struct Client: DemoClient {
        let base: SessionClient
        /// A client with only the first factor. The server asks for the second factor after it has recognised the first.
        let probing: SessionClient

        func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) { try await probing.answer(to: url) }

        func get(_ url: URL) async throws -> Data { try await base.get(url) }
        func endSession() { base.endSession() }
        func close() async {
            await probing.close()
            await base.close()
        }
    }
}
