import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Code as in an application: its own observer, a session and a request.
final class GatewayObserver: SAMLObserver, @unchecked Sendable {
    override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
        (response as? HTTPURLResponse)?.statusCode == 403 || super.isChallenge(dataTask: dataTask, response: response)
    }
}

func fetch(_ url: URL, from session: SAPURLSession) async throws -> Int {
    let settings = SAPcpmsSettingsParameters(backendURL: url, applicationID: "com.example.gateway")
    session.register(GatewayObserver(settingsParameters: settings))
    let (data, _) = try await session.data(for: URLRequest(url: url))
    return data.count
}
