import CountersignTesting
import EditedMobileServices
import Foundation
import SAPMobileServicesTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Requests a token from a mock whose token endpoint requires an additional parameter, and prints the result.

var options = MockOptions()
options.protection = "OAuth2"
options.oauth2 = { $0.requiredTokenParameters = ["resource": "orders"] }
try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
    let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "probe")
    let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
        settingsParameters: settings, name: "countersign-service", secret: "it's a s3cret: %&+/?")
    let session = SAPURLSession()
    session.register(
        OAuth2Observer(clientCredentialsAuthenticationParameters: parameters, tokenStore: MemoryTokenStore()))
    do {
        let (_, response) = try await session.data(from: mock.baseURL.appending(path: "orders"))
        print("status: \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    } catch let error as OAuth2Error {
        print("refused: \(error.serverError?.code ?? error.code)")
    }
    session.invalidateAndCancel()
}
