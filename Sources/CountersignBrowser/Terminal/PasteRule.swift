internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rule that recognizes the response to a login in pasted text. It depends only on the text and has no state.
struct PasteRule: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The text is a response with this URL.
        case answer(URL)
        /// Nothing was pasted.
        case empty
        /// The text exceeds the maximum length of a response.
        case tooLong
        /// The text is not a complete URL.
        case notAnAddress
        /// The URL is that of the login page.
        case loginPage
        /// The URL is at another origin, or has another scheme. The associated value is the origin or scheme.
        case elsewhere(String)
        /// The URL is the redirect URL without a query.
        case noAnswer
        /// The URL is the response to another login, such as an earlier one.
        case otherLogin
    }

    private let redirect: WebRedirect
    private let redirectURL: URL
    private let page: URL

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - redirect: The redirect of the login, with its state.
    ///   - redirectURL: The redirect URL in the request to the server.
    ///   - page: The URL of the login page.
    init(_ redirect: WebRedirect, to redirectURL: URL, from page: URL) {
        self.redirect = redirect
        self.redirectURL = redirectURL
        self.page = page
    }

    func verdict(on pasted: String) -> Verdict {
        guard pasted.utf8.count <= OAuth2AuthorizationResponse.maximumLength else { return .tooLong }
        let text = Self.unwrapped(pasted)
        guard !text.isEmpty else { return .empty }
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme, url.user == nil else {
            return .notAnAddress
        }
        guard FinishRule(redirectURL, match: .path).accepts(url) else { return misplaced(url, scheme: scheme) }
        guard let query = url.query(percentEncoded: true), !query.isEmpty else { return .noAnswer }
        return redirect.isAnswered(by: url) ? .answer(url) : .otherLogin
    }

    private func misplaced(_ url: URL, scheme: String) -> Verdict {
        if FinishRule(page, match: .path).accepts(url) { return .loginPage }
        // Each listening login has its own port, so a response to another port belongs to another login.
        if let origin = Origin(url), let own = Origin(redirectURL), origin.scheme == own.scheme, redirectURL.isLoopbackAddress,
            url.isLoopbackAddress, url.path(percentEncoded: true) == redirectURL.path(percentEncoded: true)
        {
            return .otherLogin
        }
        return .elsewhere(Origin(url)?.description ?? "\(scheme):")
    }

    /// Returns the text without surrounding white space, quotation marks or angle brackets.
    private static func unwrapped(_ text: String) -> String {
        var text = Substring(text).trimmed
        for (first, last) in [("\"", "\""), ("'", "'"), ("<", ">")]
        where text.hasPrefix(first) && text.hasSuffix(last) && text.count > 1 {
            text = text.dropFirst().dropLast().trimmed
        }
        return String(text)
    }
}

extension PasteRule: RedactedDescription {}
extension PasteRule.Verdict: RedactedDescription {}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }
}

extension URL {
    /// Whether the host is a loopback address.
    fileprivate var isLoopbackAddress: Bool {
        ["127.0.0.1", "[::1]", "::1"].contains(host(percentEncoded: false) ?? "")
    }
}
