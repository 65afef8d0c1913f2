package import Foundation

/// The two hosts of a mock landscape: one port and two host names, so that their cookies are separate.
package struct MockHosts: Sendable {
    /// The host of the resources.
    package let serviceProvider: URL
    /// The host of the identity provider.
    package let identityProvider: URL

    /// Creates the URLs for the port that the system chose.
    init(port: Int, scheme: String = "http") {
        serviceProvider = URL(serverAt: port, path: "", scheme: scheme)
        identityProvider = URL(serverAt: port, path: "", scheme: scheme, host: "localhost")
    }

    /// Returns the `Host` field value for a server.
    static func authority(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 80)" }
}
