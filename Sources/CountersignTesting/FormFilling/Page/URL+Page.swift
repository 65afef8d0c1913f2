import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// The origin and the path without path parameters (`;jsessionid=…`), which is what errors may contain of a URL.
    var originAndPath: String {
        let path = path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
        let plain = path.map { $0.prefix { $0 != ";" } }.joined(separator: "/")
        return "\(Origin(self)?.description ?? scheme.map { "\($0):" } ?? "")\(plain)"
    }

    /// Resolves a page's URL reference against a base URL.
    static func reference(_ text: String, on base: URL) -> URL? {
        // As in browsers, line breaks and tabs are ignored, as are spaces at both ends.
        let text = text.filter { !$0.isNewline && $0 != "\t" }.drop { $0 == " " }
        guard let end = text.lastIndex(where: { $0 != " " }) else { return base }
        return URL(string: String(text[...end]), relativeTo: base)?.absoluteURL
    }

    /// The URL without its fragment, as it is requested.
    var withoutFragment: URL {
        guard fragment(percentEncoded: true) != nil else { return self }
        return URL(string: String(absoluteString.prefix { $0 != "#" })) ?? self
    }

    /// Returns the URL with its query replaced and without a fragment, as the form method `get` builds it.
    func withQuery(_ query: String) -> URL {
        let plain = absoluteString.prefix { $0 != "?" && $0 != "#" }
        // The initializer cannot fail, because the query is encoded.
        return URL(string: "\(plain)?\(query)") ?? self
    }
}
