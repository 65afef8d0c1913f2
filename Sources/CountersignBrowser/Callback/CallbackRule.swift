internal import Countersign
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which request is the answer to a login. It decides by the request alone, and remembers nothing.
struct CallbackRule: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The URL that the browser was sent to.
        case answer(URL)
        /// The address alone, with nothing that could be an answer.
        case bare
        case refused(AnswerPage)
    }

    private let finish: FinishRule
    private let authority: String
    /// The authority as browsers state it: without the scheme's own port.
    private let host: String
    private let state: String?
    /// The redirect URL without a query. It names host and port, as a path of `//evil.example` would otherwise lead there.
    let bareURL: String

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - redirectURL: Where the answer is expected.
    ///   - authority: The redirect URL's host and port.
    ///   - state: The answer's `state`, if it has one.
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
        // A page of another name that was made to lead here (DNS rebinding) states that name.
        guard hosts[0] == host else { return .refused(.misdirected) }
        guard head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            let url = URL(string: "http://\(authority)\(head.uri)")
        else { return .refused(.malformed) }
        guard finish.accepts(url) else { return .refused(.notFound) }
        guard head.method == .GET || head.method == .HEAD else { return .refused(.methodNotAllowed) }
        guard let query = url.query(percentEncoded: true), !query.isEmpty else { return .bare }
        guard let state else { return .answer(url) }
        // Byte by byte: strings are equal in Swift when their characters look the same.
        return Self.states(in: query).map { Array($0.utf8) } == [Array(state.utf8)] ? .answer(url) : .refused(.stranger)
    }

    /// The values of all parameters called `state`, decoded as forms are.
    private static func states(in query: String) -> [String] {
        let items = URLComponents(string: "?\(query.replacing("+", with: "%20"))")?.queryItems ?? []
        return items.filter { $0.name == "state" }.map { $0.value ?? "" }
    }
}

extension CallbackRule: RedactedDescription {}
extension CallbackRule.Verdict: RedactedDescription {}
