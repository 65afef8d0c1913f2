import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A one-time passcode behind SAML, with the generated observers of both: the user is logged in, and many requests need the second
/// factor.
struct OTPScenario: DemoScenario {
    let method = "OTP"
    let row = "OTP after SAML"

    func authentications(in statistics: MockStatistics) -> Int { statistics.passcodes.logins }

    /// The login before is not what is shown.
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws {
        _ = try await client.get(mock.baseURL.appending(path: "resource/SAML/first-factor"))
    }

    /// Both factors' cookies stay with the client; the server knows the first alone.
    func forget(_ mock: MockLandscape, _ client: any DemoClient) {
        mock.endPasscodeSessions()
        mock.advancePasscodes()
    }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) -> any DemoClient {
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo")
        let presenter = PasscodePresenter(app: mock.authenticatorApp(for: "alice"))
        let client = SessionClient(options) { SAMLObserver(settingsParameters: settings) }
        let authenticator = OTPAuthenticator(settingsParameters: settings, webViewPresenter: presenter)
        authenticator.callbackScheme = "com.example.demo\(mock.baseURL.port ?? 0).xcallbackurl"
        client.session.register(OTPObserver(authenticator: authenticator))
        return Client(base: client, settings: settings)
    }

    /// Types the code that the user's app shows.
    private struct PasscodePresenter: WebPresenter {
        let app: MockAuthenticatorApp

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            try await FormFillingPresenter(values: ["j_passcode": app.code]).present(presentation)
        }
    }

    private struct Client: DemoClient {
        let base: SessionClient
        let settings: SAPcpmsSettingsParameters

        /// The second factor is asked for by a server that knows the first.
        func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) {
            let client = SessionClient(DemoClientOptions(simultaneousRequests: 1)) { SAMLObserver(settingsParameters: settings) }
            do {
                let answer = try await client.answer(to: url)
                await client.close()
                return answer
            } catch {
                await client.close()
                throw error
            }
        }

        func get(_ url: URL) async throws -> Data { try await base.get(url) }
        func endSession() { base.endSession() }
        func close() async { await base.close() }
    }
}
