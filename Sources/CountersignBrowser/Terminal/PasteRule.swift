internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which pasted text is the answer to a login. It decides by the text alone, and remembers nothing.
struct PasteRule: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The URL that the browser was sent to.
        case answer(URL)
        /// Nothing was pasted.
        case empty
        /// More than an answer may have.
        case tooLong
        /// No whole address.
        case notAnAddress
        /// The page where the user logs in, and not yet where that ends.
        case loginPage
        /// An address of another place, by its origin or scheme.
        case elsewhere(String)
        /// The right address, without an answer in it.
        case noAnswer
        /// The answer to another login, such as one of an earlier day.
        case otherLogin
    }

    private let redirect: WebRedirect
    private let redirectURL: URL
    private let page: URL

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - redirect: The login's way back, with its state.
    ///   - redirectURL: The redirect URL that the page names to the server.
    ///   - page: The page where the user logs in.
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
        // Each login that listens has a port of its own; an answer to another port is an answer to another login.
        if let origin = Origin(url), let own = Origin(redirectURL), origin.scheme == own.scheme, redirectURL.isLoopbackAddress,
            url.isLoopbackAddress, url.path(percentEncoded: true) == redirectURL.path(percentEncoded: true)
        {
            return .otherLogin
        }
        return .elsewhere(Origin(url)?.description ?? "\(scheme):")
    }

    /// The text without the white space, quotes or brackets that came with it.
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
    /// Whether the host is an address of this machine.
    fileprivate var isLoopbackAddress: Bool {
        ["127.0.0.1", "[::1]", "::1"].contains(host(percentEncoded: false) ?? "")
    }
}
