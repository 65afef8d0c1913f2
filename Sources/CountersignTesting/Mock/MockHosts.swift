import Foundation

/// The two servers of a mock landscape: one port, two host names, so that the cookies of one do not belong to the other.
struct MockHosts: Sendable {
    /// Where the resources are.
    let serviceProvider: URL
    /// Where the users are known.
    let identityProvider: URL

    /// The servers on a port; `nil` if it is none.
    init?(port: Int, scheme: String = "http") {
        guard let serviceProvider = URL(string: "\(scheme)://127.0.0.1:\(port)"),
            let identityProvider = URL(string: "\(scheme)://localhost:\(port)")
        else { return nil }
        self.serviceProvider = serviceProvider
        self.identityProvider = identityProvider
    }

    /// The `Host` field for a server.
    static func authority(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 80)" }
}
