#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The origins that may receive a credential.
///
/// An observer is given the addresses of its servers, of which scheme, host and port count:
///
/// ```swift
/// OAuth2Observer(authenticationParameters: parameters, tokenStore: tokens, protectedURLs: [backend])
/// ```
///
/// An origin that is named receives the credential also when a redirect leads there. No other origin receives it; a server elsewhere that
/// asks for it gets none, which ``SessionEvent/Kind/withheld`` reports.
///
/// Where a list is not written in the code but comes from somewhere else, ``init(_:)`` throws an error for an address that cannot be used.
public struct ProtectedOrigins: Sendable, Hashable {
    /// The origins that are named; `nil` for ``anywhere``.
    public let origins: Set<Origin>?

    /// Every origin that the application asks.
    ///
    /// Then each server that the application sends a request to receives the credential, or can ask for it: also one whose address came in
    /// the response of another. A redirect leads no credential to an origin other than the request's own.
    public static let anywhere = ProtectedOrigins(anyOr: nil)

    /// Makes a list of origins; an empty one lets no origin receive the credential.
    public init(origins: Set<Origin>) {
        self.init(anyOr: origins)
    }

    /// Makes a list of the origins of URLs; an empty one lets no origin receive the credential.
    ///
    /// - Parameter urls: The URLs, of which scheme, host and port count.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/noOrigin`` for a URL that has no host, or a scheme other than `http` and
    ///   `https`.
    public init(_ urls: some Sequence<URL>) throws(CountersignError) {
        var origins: Set<Origin> = []
        for (index, url) in urls.enumerated() {
            guard let origin = Origin(url) else {
                throw CountersignError(
                    .noOrigin,
                    detail: "protected URL \(index + 1) names no origin: it needs a host, and the scheme 'https' or 'http'")
            }
            origins.insert(origin)
        }
        self.init(anyOr: origins)
    }

    private init(anyOr origins: Set<Origin>?) {
        self.origins = origins
    }

    /// The origins of the servers that parameters name; `nil` if they name none.
    @_spi(Generated) public init?(servers: [URL]) {
        guard !servers.isEmpty else { return nil }
        self.init(origins: Set(servers.compactMap { Origin($0) }))
    }
}

extension ProtectedOrigins: ExpressibleByArrayLiteral {
    /// Makes a list of the origins of URLs.
    ///
    /// - Precondition: Each URL has the scheme `https` or `http` and a host. One that has not is a programming error and stops the program
    ///   with a message: a list that silently lacks a server would be a login that never happens. ``init(_:)`` throws an error instead.
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
