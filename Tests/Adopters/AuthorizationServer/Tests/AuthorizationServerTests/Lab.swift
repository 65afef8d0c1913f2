import Canaille
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The lab, which a script has started. `COUNTERSIGN_LAB` names its folder, which contains `ca/root.crt`.
struct Lab {
    private static let folder = ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"]
    static var isRunning: Bool { folder != nil }

    static let issuer = "https://localhost:9448"
    static let clientSecret = "s3cr€t:+ %"
    let server: URL
    /// Returns the current user, for a token with the scope `openid`.
    let userinfo: URL
    let redirect: URL
    let root: String

    init() throws {
        root = "\(try #require(Self.folder))/ca/root.crt"
        server = try #require(URL(string: Self.issuer))
        userinfo = server.appending(path: "oauth/userinfo")
        redirect = try #require(URL(string: "http://127.0.0.1:9999/cb"))
    }

    /// The private key, in PEM, with which the client `assertions` signs.
    func assertionKey() throws -> String {
        try String(contentsOfFile: "\(try #require(Self.folder))/canaille/assertions.pem", encoding: .utf8)
    }

    var settings: SAPcpmsSettingsParameters { SAPcpmsSettingsParameters(backendURL: server, applicationID: "lab") }

    /// Makes a session that trusts the lab.
    func session(events: [any SessionEventObserver] = []) -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .file(root)
        configuration.session.eventObservers = events
        return SAPURLSession(configuration: configuration)
    }

    /// Waits for the next second. Within one second the server signs two equal tokens for a user, and then answers with 500.
    func nextToken() async throws {
        let now = Date().timeIntervalSince1970
        try await Task.sleep(for: .seconds(now.rounded(.down) + 1.01 - now))
    }

    /// Revokes a token (RFC 7009), as the client `svc`.
    func revoke(_ token: String) async throws -> Int? {
        var request = URLRequest(url: server.appending(path: "oauth/revoke"))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.setValue(
            "Basic \(Data("svc:\(Self.clientSecret)".utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
        request.httpBody = Data("token=\(token)".utf8)
        let (_, response) = try await session().data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }
}
