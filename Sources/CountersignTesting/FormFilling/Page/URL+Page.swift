import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// Origin and path: what errors may show of an address. A parameter in the path (`;jsessionid=…`) may not.
    var originAndPath: String {
        let path = path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
        let plain = path.map { $0.prefix { $0 != ";" } }.joined(separator: "/")
        return "\(Origin(self)?.description ?? scheme.map { "\($0):" } ?? "")\(plain)"
    }

    /// The URL that a page's reference stands for, relative to a base.
    static func reference(_ text: String, on base: URL) -> URL? {
        // Pages break addresses over lines, and leave spaces around them.
        let text = text.filter { !$0.isNewline && $0 != "\t" }.drop { $0 == " " }
        guard let end = text.lastIndex(where: { $0 != " " }) else { return base }
        return URL(string: String(text[...end]), relativeTo: base)?.absoluteURL
    }

    /// The URL as it is asked for.
    var withoutFragment: URL {
        guard fragment(percentEncoded: true) != nil else { return self }
        return URL(string: String(absoluteString.prefix { $0 != "#" })) ?? self
    }

    /// The URL with another query and without a fragment, as the form method `get` makes it.
    func withQuery(_ query: String) -> URL {
        let plain = absoluteString.prefix { $0 != "?" && $0 != "#" }
        // A URL with an encoded query is a URL.
        return URL(string: "\(plain)?\(query)") ?? self
    }
}
