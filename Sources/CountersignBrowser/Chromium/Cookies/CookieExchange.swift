#if os(macOS) || os(Linux)
internal import Countersign

/// The session's cookies on their way through a browser.
///
/// A browser has rules of its own: it takes no cookie of more than 4 KiB, for example, and keeps none for more than 400 days. What it did
/// to the cookies that it was given is no change that a server has made, so the session gets those back as they were.
struct CookieExchange: Sendable {
    private struct Identity: Hashable {
        let name: String
        let domain: String
        let path: String

        init(_ cookie: Cookie) {
            name = cookie.name
            domain = cookie.domain
            path = cookie.path
        }
    }

    private let given: [Cookie]
    /// What the browser has made of them.
    private let taken: [Identity: BrowserCookie]

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - given: The cookies that the browser was given.
    ///   - taken: The cookies that it had after that.
    init(given: [Cookie], taken: [BrowserCookie]) {
        self.given = given
        self.taken = Self.byIdentity(taken)
    }

    /// The session's cookies after the login: those that it had, except for what servers have changed or removed, then the new ones.
    ///
    /// - Parameter last: The cookies that the browser has in the end.
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
        // In the browser's order: a dictionary has none.
        cookies += last.filter { rest[Identity($0.cookie)] == $0 }.map(\.cookie)
        return CookieJar.Snapshot(cookies: cookies)
    }

    private static func byIdentity(_ cookies: [BrowserCookie]) -> [Identity: BrowserCookie] {
        // The jar has one place for a cookie that the browser keeps for one site and for all: that for all.
        let ordered = cookies.filter(\.isForItsOwnSite).sorted { $0.partitionKey != nil && $1.partitionKey == nil }
        return Dictionary(ordered.map { (Identity($0.cookie), $0) }) { _, last in last }
    }
}
#endif
