import CountersignAsyncHTTPClient
import Foundation

/// The proxy of the option `--proxy` or of a profile; without one, that of the environment variables which other programs use, too:
/// `https_proxy` or `all_proxy`, in either case.
///
/// Connections to the hosts in `no_proxy` and to this machine are made directly. Networks in `no_proxy`, such as `10.0.0.0/8`, are
/// ignored.
enum ProxyAddress {
    /// The text for direct connections.
    static let direct = "none"
    private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let thisMachine: Set = ["localhost", "127.0.0.1", "::1"]

    /// Returns the proxy for connections; `nil` for direct ones.
    ///
    /// - Parameter text: The URL of the option or the profile, or ``direct``; `nil` for that of the environment.
    /// - Throws: ``CommandProblem`` for a text that is not the URL of a proxy. The text is not quoted, since it can have a password.
    static func proxy(
        _ text: String?, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> AsyncHTTPClientTransport.Proxy? {
        let variable = text == nil ? variables.first { environment[$0]?.isEmpty == false } : nil
        let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split { $0 == "," || $0.isWhitespace }
        guard let text = text ?? variable.flatMap({ environment[$0] }), text != direct, !exceptions.contains("*") else {
            return nil
        }
        guard var proxy = proxy(at: text) else {
            throw CommandProblem(
                "\(variable.map { "The environment variable '\($0)'" } ?? "The proxy") is not the URL of a proxy.",
                remedy:
                    "Give one such as http://proxy.example:3128 or socks5://127.0.0.1:1080, or '--proxy \(direct)' for direct connections.",
                exit: CommandExit.badData)
        }
        proxy.exceptions = thisMachine.union(exceptions.map { String(withoutPort($0)) })
        return proxy
    }

    /// Returns the host of an exception such as `api.example:443`; an IPv6 address has several colons.
    private static func withoutPort(_ exception: Substring) -> Substring {
        exception.count { $0 == ":" } == 1 ? exception.prefix { $0 != ":" } : exception
    }

    private static func proxy(at text: String) -> AsyncHTTPClientTransport.Proxy? {
        // Many programs accept a host and a port alone.
        guard let url = URL(string: text.contains("://") ? text : "http://\(text)"), let host = url.host(percentEncoded: false),
            !host.isEmpty, ["", "/"].contains(url.path()), url.query() == nil, url.fragment == nil
        else { return nil }
        let port = url.port
        guard port.map({ (1...65_535).contains($0) }) ?? true else { return nil }
        let user = url.user(percentEncoded: false)
        switch url.scheme?.lowercased() {
        case "http":
            guard let user else { return .http(host: host, port: port ?? 80) }
            return .http(host: host, port: port ?? 80, username: user, password: url.password(percentEncoded: false) ?? "")
        // The proxy resolves names in both cases.
        case "socks", "socks5", "socks5h": return user == nil ? .socks(host: host, port: port ?? 1080) : nil
        default: return nil
        }
    }
}
