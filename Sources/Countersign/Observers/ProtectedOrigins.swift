#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The origins that may receive a credential.
///
/// An observer takes the URLs of its servers, of which scheme, host and port are used:
///
/// ```swift
/// OAuth2Observer(authenticationParameters: parameters, tokenStore: tokens, protectedURLs: [backend])
/// ```
///
/// A listed origin receives the credential, also after a redirect. No other origin receives it; its challenges are not answered and
/// are reported as ``SessionEvent/Kind/withheld``.
///
/// For a list that is not a literal, use ``init(_:)``, which throws an error for an unusable URL.
public struct ProtectedOrigins: Sendable, Hashable {
    /// The listed origins; `nil` for ``anywhere``.
    public let origins: Set<Origin>?

    /// Every origin that the application sends a request to.
    ///
    /// Each such server receives the credential or can ask for it, including one whose URL came from another server's response. A
    /// redirect to another origin does not carry the credential.
    ///
    /// As the limit of the addresses that a server may name, such as the authorization servers of a protected resource: every
    /// address with `https`. Users then have to judge the page that opens.
    public static let anywhere = ProtectedOrigins(anyOr: nil)

    /// Creates a list of origins. With an empty list, no origin receives the credential.
    public init(origins: Set<Origin>) {
        self.init(anyOr: origins)
    }

    /// Creates a list of the origins of URLs. With an empty list, no origin receives the credential.
    ///
    /// - Parameter urls: The URLs, of which scheme, host and port are used.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/noOrigin`` for a URL without a host, or with a scheme other than
    ///   `http` and `https`.
    public init(_ urls: some Sequence<URL>) throws(CountersignError) {
        var origins: Set<Origin> = []
        for (index, url) in urls.enumerated() {
            guard let origin = Origin(url) else {
                throw CountersignError(
                    .noOrigin,
                    detail: "protected URL \(index + 1) has no origin: it needs a host, and the scheme 'https' or 'http'")
            }
            origins.insert(origin)
        }
        self.init(anyOr: origins)
    }

    /// Whether a response from a URL may name an origin, with these as the limit. A server elsewhere never names this machine.
    func mayBeNamed(_ origin: Origin, by base: URL) -> Bool {
        guard let origins else { return origin.isLoopback ? Origin(base)?.isLoopback == true : origin.scheme == "https" }
        return origins.contains(origin)
    }

    private init(anyOr origins: Set<Origin>?) {
        self.origins = origins
    }

    /// Creates a list of the origins of the parameters' servers; `nil` if there are no servers.
    @_spi(Generated) public init?(servers: [URL]) {
        guard !servers.isEmpty else { return nil }
        self.init(origins: Set(servers.compactMap { Origin($0) }))
    }
}

extension ProtectedOrigins: ExpressibleByArrayLiteral {
    /// Creates a list of the origins of URLs.
    ///
    /// - Precondition: Each URL has the scheme `https` or `http` and a host. Anything else is a programming error and stops the
    ///   program with a message. ``init(_:)`` throws an error instead.
    public init(arrayLiteral urls: URL...) {
        do {
            try self.init(urls)
        } catch {
            // A programming error that ends the program, as a precondition does, but with its message in optimized builds too.
            fatalError(error.detail)
        }
    }
}

extension ProtectedOrigins: CustomStringConvertible {
    /// The origins, or `anywhere`.
    public var description: String { origins.map { "\($0.map(\.description).sorted())" } ?? "anywhere" }
}
