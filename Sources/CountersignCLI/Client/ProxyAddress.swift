import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes

/// The proxy of the option `--proxy` or of a profile; without one, that of the environment variables which other programs use, too:
/// `https_proxy` or `all_proxy`, in either case.
///
/// Connections to this machine, and to the hosts and networks in `no_proxy`, such as `10.0.0.0/8`, are made directly.
struct ProxyAddress: Sendable {
    /// The text for direct connections.
    static let direct = "none"
    private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let thisMachine: Set = ["localhost", "127.0.0.1", "::1"]

    /// The proxy; `nil` for direct connections.
    let proxy: AsyncHTTPClientTransport.Proxy?
    /// The reason why only the exceptions of the proxy can be reached: the environment has no usable one.
    private let problem: CommandProblem?

    /// - Parameter text: The URL of the option or the profile, or ``direct``; `nil` for that of the environment.
    /// - Throws: ``CommandProblem`` for a text that is not the URL of a proxy. The text is not quoted, since it can have a password.
    init(_ text: String?, _ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let variable = text == nil ? Self.variables.first { environment[$0]?.isEmpty == false } : nil
        let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split { $0 == "," || $0.isWhitespace }
        guard let text = text ?? variable.flatMap({ environment[$0] }), text != Self.direct, !exceptions.contains("*") else {
            self.proxy = nil
            self.problem = nil
            return
        }
        let found = Self.proxy(at: text)
        let problem = CommandProblem(
            "\(variable.map { "The environment variable '\($0)'" } ?? "The proxy") is not the URL of a proxy.",
            remedy:
                "Give one such as http://proxy.example:3128 or socks5://127.0.0.1:1080, or '--proxy \(Self.direct)' for direct connections.",
            exit: CommandExit.badData)
        guard found != nil || variable != nil else { throw problem }
        // In place of an unusable one: no connection is made to it.
        var proxy = found ?? .http(host: "invalid", port: 1)
        proxy.exceptions = Self.thisMachine.union(exceptions.map { String(Self.withoutPort($0)) })
        self.proxy = proxy
        self.problem = found == nil ? problem : nil
    }

    /// Throws if a server is to be reached through a proxy of the environment that is unusable.
    func check(_ url: URL?) throws {
        guard let problem, let host = url?.host(percentEncoded: false), proxy?.isException(host.trimming(in: "[]")) != true else {
            return
        }
        throw problem
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

/// A transport of a command, with its certificate authorities and its proxy.
struct CommandTransport: HTTPTransport {
    private let transport: AsyncHTTPClientTransport
    private let proxy: ProxyAddress

    /// - Parameter configuration: That of a file with certificate authorities.
    init(_ configuration: AsyncHTTPClientTransport.Configuration, proxy: ProxyAddress) {
        self.proxy = proxy
        var configuration = configuration
        configuration.proxy = proxy.proxy
        transport = AsyncHTTPClientTransport(configuration: configuration)
    }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        try proxy.check(request.head.url)
        return try await transport.send(request)
    }

    func shutdown() async throws { try await transport.shutdown() }
}

extension String {
    /// Returns the text without these characters at its ends.
    fileprivate func trimming(in characters: String) -> String {
        trimmingCharacters(in: CharacterSet(charactersIn: characters))
    }
}
