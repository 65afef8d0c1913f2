// The code of README.md and of the guide "Servers and containers" for a service behind Keycloak.

// snippet: keycloak
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Keycloak

/// Calls an API as a service, with the tokens of a Keycloak realm.
struct ReportsAPI {
    let api: URL
    let session = Session(transport: AsyncHTTPClientTransport())

    /// - Parameter realm: Such as `https://login.example/realms/demo`.
    init(api: URL, realm: URL, clientID: String, clientSecret: String) {
        self.api = api
        session.register(
            OpenIDServiceObserver(
                parameters: OpenIDServiceParameters(
                    apis: [api], issuer: realm, clientID: clientID,
                    clientSecret: clientSecret)))
    }

    func report(_ name: String) async throws -> String {
        let request = HTTPRequest(url: api.appending(path: name))
        let response = try await session.send(SessionRequest(request))
        guard response.head.status == .ok else {
            throw ReportError(status: response.head.status.code)
        }
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct ReportError: Error {
    let status: Int
}
// end
