import Foundation

/// The result of an onboarding, as a line of text or as JSON. It contains no secret.
struct OnboardReport: Encodable {
    /// The version of the JSON format.
    let version = 1
    /// The server's address, without a path.
    let server: String
    /// The application's identifier at the server, if it is known.
    let applicationID: String?
    /// The method that the server authenticates with, as the configuration names it.
    let method: String
    /// Whether this run restored an earlier onboarding.
    let restored: Bool
    /// Path and query of the request, as they were sent.
    let path: String
    /// The status code of the response.
    let status: Int
    /// The size of the response in bytes.
    let bytes: Int
    var ok: Bool { (200..<300).contains(status) }

    private enum CodingKeys: CodingKey { case version, server, applicationID, method, restored, path, status, bytes, ok }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(server, forKey: .server)
        try container.encode(applicationID, forKey: .applicationID)
        try container.encode(method, forKey: .method)
        try container.encode(restored, forKey: .restored)
        try container.encode(path, forKey: .path)
        try container.encode(status, forKey: .status)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(ok, forKey: .ok)
    }

    /// Returns the report as JSON.
    func json() throws -> String { try JSONText.of(self) }

    /// Returns the reports of several runs as one JSON object, by name.
    static func json(of runs: [String: OnboardReport]) throws -> String { try JSONText.of(runs) }

    /// Returns the report as a line of text.
    func line() -> String {
        "\(ok ? "ok" : "failed"): \(restored ? "restored" : "onboarded") at \(server), GET \(path) answered \(status) with \(bytes) bytes"
    }
}
