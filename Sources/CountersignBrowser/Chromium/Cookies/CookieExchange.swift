#if os(macOS) || os(Linux)
internal import Countersign

/// The transfer of the session's cookies to a browser and back.
///
/// A browser has its own rules. For example, it refuses cookies of more than 4 KiB and limits lifetimes to 400 days. Changes that
/// the browser itself made to a cookie are not changes by a server, so the session's original cookie is kept.
struct CookieExchange: Sendable {
    private struct Identity: Hashable {
        let name: String
        let domain: String
        let isHostOnly: Bool
        let path: String

        init(_ cookie: Cookie) {
            name = cookie.name
            domain = cookie.domain
            isHostOnly = cookie.isHostOnly
            path = cookie.path
        }
    }

    private let given: [Cookie]
    /// The same cookies as the browser stored them.
    private let taken: [Identity: BrowserCookie]

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - given: The cookies that were passed to the browser.
    ///   - taken: The cookies of the browser afterwards.
    init(given: [Cookie], taken: [BrowserCookie]) {
        self.given = given
        self.taken = Self.byIdentity(taken)
    }

    /// Returns the session's cookies after the login: the original ones, with the changes and deletions by servers, and then the
    /// new ones.
    ///
    /// - Parameter last: The cookies of the browser at the end.
    func snapshot(of last: [BrowserCookie]) -> CookieJar.Snapshot {
        var rest = Self.byIdentity(last)
        var cookies: [Cookie] = []
        for cookie in given {
            let before = taken[Identity(cookie)]
            let after = rest.removeValue(forKey: Identity(cookie))
            if after == before {
                cookies.append(cookie)
            } else if let after {
                cookies.append(after.cookie)
            }
        }
        // The list keeps the browser's order, which a dictionary does not.
        cookies += last.filter { rest[Identity($0.cookie)] == $0 }.map(\.cookie)
        return CookieJar.Snapshot(cookies: cookies)
    }

    private static func byIdentity(_ cookies: [BrowserCookie]) -> [Identity: BrowserCookie] {
        // The jar cannot hold the same cookie both partitioned and unpartitioned, so the unpartitioned one is used.
        let ordered = cookies.filter(\.isForItsOwnSite).sorted { $0.partitionKey != nil && $1.partitionKey == nil }
        return Dictionary(ordered.map { (Identity($0.cookie), $0) }) { _, last in last }
    }
}
#endif
