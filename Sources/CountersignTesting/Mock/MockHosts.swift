package import Foundation

/// The two hosts of a mock landscape: one port and two host names, so that their cookies are separate.
package struct MockHosts: Sendable {
    /// The host of the resources.
    package let serviceProvider: URL
    /// The host of the identity provider.
    package let identityProvider: URL

    /// Creates the URLs for the port that the system chose.
    init(port: Int, scheme: String = "http") {
        serviceProvider = Self.url(scheme, "127.0.0.1", port)
        identityProvider = Self.url(scheme, "localhost", port)
    }

    private static func url(_ scheme: String, _ host: String, _ port: Int) -> URL {
        guard let url = URL(string: "\(scheme)://\(host):\(port)") else {
            // A scheme, a host and a port always form a valid URL.
            preconditionFailure("invalid URL from scheme \(scheme), host \(host) and port \(port)")
        }
        return url
    }

    /// Returns the `Host` field value for a server.
    static func authority(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 80)" }
}
