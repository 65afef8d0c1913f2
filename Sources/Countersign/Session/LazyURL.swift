#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import HTTPTypes

/// The URL of a request, created on first use.
package struct LazyURL: Sendable {
    private enum Source {
        case url(URL)
        /// The complete text, which is known to be a valid URL, or is checked before the URL is used.
        case text(String)
    }

    private let source: Source

    /// Creates a lazy URL from an existing one.
    package init(_ url: URL) { source = .url(url) }

    /// Creates the URL of a request from its scheme, authority and path.
    package init(of head: HTTPRequest) {
        source = .text("\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")")
    }

    /// The URL.
    package var url: URL {
        switch source {
        case .url(let url): url
        // A fallback instead of a trap, for a text that a transport did not receive from a session.
        case .text(let text): URL(string: text) ?? URL(filePath: "/")
        }
    }

    /// The URL's path as it was written; `/` if it is empty.
    var path: String {
        switch source {
        case .url(let url):
            let path = url.path(percentEncoded: true)
            return path.isEmpty ? "/" : path
        case .text(let text):
            // The text has an authority, which ends at the first slash after `//`.
            guard let scheme = text.utf8.firstIndex(of: UInt8(ascii: ":")),
                let start = text.utf8[scheme...].dropFirst(3).firstIndex(of: UInt8(ascii: "/"))
            else { return "/" }
            return String(text.utf8[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }) ?? "/"
        }
    }
}
