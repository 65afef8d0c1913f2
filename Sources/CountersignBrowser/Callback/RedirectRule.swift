internal import Countersign
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rule that recognizes the response to a login. It depends only on the request and has no state.
struct RedirectRule: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The request is a response with this URL.
        case answer(URL)
        /// The redirect URL without a query, which is no response.
        case bare
        case refused(AnswerPage)
    }

    private let finish: FinishRule
    private let authority: String
    /// The authority as browsers send it in `Host`, without the default port.
    private let host: String
    private let state: String?
    /// The redirect URL without a query. It contains host and port, because a path such as `//evil.example` alone would lead to
    /// another host.
    let bareURL: String

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - redirectURL: The URL where the response is expected.
    ///   - authority: The redirect URL's host and port.
    ///   - state: The expected `state`; `nil` for none.
    init(redirectURL: URL, authority: String, state: String?) {
        finish = FinishRule(redirectURL, match: .path)
        self.authority = authority
        host = authority.hasSuffix(":80") ? String(authority.dropLast(3)) : authority
        self.state = state
        let path = redirectURL.path(percentEncoded: true)
        bareURL = "http://\(authority)\(path.isEmpty ? "/" : path)"
    }

    func verdict(on head: HTTPRequestHead) -> Verdict {
        let hosts = head.headers["host"]
        guard hosts.count == 1 else { return .refused(.malformed) }
        // In a DNS rebinding attack, the request has the name of the attacker's host.
        guard hosts[0] == host else { return .refused(.misdirected) }
        guard head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            let url = URL(string: "http://\(authority)\(head.uri)")
        else { return .refused(.malformed) }
        guard finish.accepts(url) else { return .refused(.notFound) }
        guard head.method == .GET || head.method == .HEAD else { return .refused(.methodNotAllowed) }
        guard let query = url.query(percentEncoded: true), !query.isEmpty else { return .bare }
        guard let state else { return .answer(url) }
        // The comparison is by bytes, since Swift strings are equal if they are canonically equivalent.
        return Self.states(in: query).map { Array($0.utf8) } == [Array(state.utf8)] ? .answer(url) : .refused(.stranger)
    }

    /// Returns the form-decoded values of all parameters with the name `state`.
    private static func states(in query: String) -> [String] {
        let items = URLComponents(string: "?\(query.replacing("+", with: "%20"))")?.queryItems ?? []
        return items.filter { $0.name == "state" }.map { $0.value ?? "" }
    }
}

extension RedirectRule: RedactedDescription {}
extension RedirectRule.Verdict: RedactedDescription {}
