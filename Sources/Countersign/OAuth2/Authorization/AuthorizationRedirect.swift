#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The redirect URL of a grant with its authorization server, identified by both endpoints, since another server's configuration
/// can name one of them (RFC 9700, section 4.4.2).
package struct AuthorizationRedirect: Sendable {
    /// The redirect URL, as registered with the server.
    package let url: URL
    /// The authorization endpoint; `nil` if it is unknown before the login.
    package let authorizationEndpoint: URL?
    /// The token endpoint that receives the code; `nil` if the flow has none.
    package let tokenEndpoint: URL?
    /// The issuer that every authorization response has to name (RFC 9207); `nil` if none is expected.
    package let issuer: String?

    /// Returns whether a response of one server could be mistaken for a response of the other (mix-up attack, RFC 9700, section
    /// 4.4): both use the same redirect URL and do not have to name different issuers.
    package func isConfusable(with other: AuthorizationRedirect) -> Bool {
        guard sharesRedirect(with: other), !sharesServer(with: other) else { return false }
        guard let issuer, let otherIssuer = other.issuer else { return true }
        return Array(issuer.utf8) == Array(otherIssuer.utf8)
    }

    /// The server's identity: its endpoints without their queries.
    package var server: String {
        let place = authorizationEndpoint.map(Self.place) ?? "a server that another server names"
        return tokenEndpoint.map { "\(place) with \(Self.place($0))" } ?? place
    }

    private func sharesRedirect(with other: AuthorizationRedirect) -> Bool {
        // A presenter may choose address and port of this machine for each login (RFC 8252, section 7.3).
        if url.isLoopback, other.url.isLoopback { return url.path() == other.url.path() }
        return Self.isSame(url, other.url)
    }

    private func sharesServer(with other: AuthorizationRedirect) -> Bool {
        guard let own = authorizationEndpoint, let others = other.authorizationEndpoint, Self.isSame(own, others) else {
            return false
        }
        switch (tokenEndpoint, other.tokenEndpoint) {
        case (let own?, let others?): return Self.isSame(own, others)
        case (nil, nil): return true
        default: return false
        }
    }

    /// Compares two URLs in the same way as the URL that ends a login is compared with its redirect URL.
    private static func isSame(_ left: URL, _ right: URL) -> Bool { FinishRule(left, match: .path).accepts(right) }

    private static func place(_ url: URL) -> String { (Origin(url)?.description ?? "") + url.path(percentEncoded: true) }
}

/// An observer with login pages.
protocol RedirectedObserver: SessionObserver {
    /// The redirects that end the login pages.
    var redirects: [AuthorizationRedirect] { get }
}

extension AuthorizationRedirect {
    /// Creates the redirect of a page, with the server that receives the first request after it.
    ///
    /// If a document of the server contains the endpoints, the URL at which discovery begins stands for them, since they are
    /// unknown before the login.
    init?(of page: LoginPage, before steps: ArraySlice<ProgramStep>, with values: [ProgramValue], of method: PreparedProgram) {
        func begin(_ template: ProgramTemplate) -> URL? {
            let document = method.program.documents.first { document in template.uses(document.captures.map(\.slot)) }
            return document?.places.lazy.compactMap { begin($0.url) }.first ?? template.url(method.parameters)
        }
        func address(_ template: ProgramTemplate) -> URL? {
            let isPublished = method.program.documents.contains { template.uses($0.captures.map(\.slot)) }
            return isPublished ? begin(template) : template.url(values)
        }
        guard let end = page.redirect, case .url(let redirect) = values[end.slot] else { return nil }
        url = redirect
        authorizationEndpoint = address(page.url)
        tokenEndpoint = steps.lazy.compactMap { $0.endpoint.flatMap(address) }.first
        issuer = end.verify.first { $0.name.text(values) == "iss" }?.value.text(values)
    }

    /// Throws if a response of another observer's authorization server could be mistaken for a response to one of these
    /// redirects.
    static func requireUnshared(_ redirects: [AuthorizationRedirect], in session: Session, of method: String) throws {
        let others = session.authorizationRedirects
        for own in redirects {
            guard let other = others.first(where: own.isConfusable) else { continue }
            throw CountersignError(
                .sharedRedirect,
                detail: """
                    two authorization servers share a redirect URL and have no issuers that distinguish their responses: \
                    \(own.server), and \(other.server)
                    """,
                authenticationMethod: method, origin: own.authorizationEndpoint.flatMap { Origin($0) })
        }
    }
}

extension URL {
    /// Whether the URL leads to this machine, where a presenter may choose the port (RFC 8252, section 7.3).
    var isLoopback: Bool { scheme == "http" && Origin(self)?.isLoopback == true }
}
