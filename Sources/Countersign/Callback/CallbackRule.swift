#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The form of a URL by which another application continues a waiting page (x-callback-url).
///
/// An example is `com.example.app.xcallbackurl://x-callback-url/setCredential?x-source=…&passcode_paramvalue=…`: the scheme is the
/// application's own and has a fixed ending, host and path are fixed, and some query items are copied to the URL of the page.
public struct CallbackRule: Sendable, Hashable {
    /// The ending of the scheme, such as `.xcallbackurl`. The application chooses the part before it.
    public let schemeEnding: String
    /// The host.
    public let host: String
    /// The path, with its leading slash.
    public let path: String
    /// The identifier of the expected application, unless the authenticator sets another.
    public let application: String
    /// The name of the query item in which the other application identifies itself; `nil` if only the system identifies it.
    public let source: String?
    /// The query items that are copied to the page's URL.
    public let query: [Item]

    /// A query item that is copied to the page's URL.
    public struct Item: Sendable, Hashable {
        /// The item's name in the callback URL.
        public let name: String
        /// The item's name in the page's URL.
        public let pageName: String

        /// Creates an item.
        public init(_ name: String, as pageName: String) {
            self.name = name
            self.pageName = pageName
        }
    }

    /// Creates a rule.
    public init(schemeEnding: String, host: String, path: String, application: String, source: String?, query: [Item]) {
        self.schemeEnding = schemeEnding
        self.host = host
        self.path = path
        self.application = application
        self.source = source
        self.query = query
    }
}

extension CallbackRule {
    /// Whether a URL is such a callback, regardless of its query.
    ///
    /// - Parameter scheme: The complete scheme, if it is known. The case of schemes is ignored (RFC 3986, section 3.1).
    func accepts(_ url: URL, scheme: String?) -> Bool {
        guard let actual = url.scheme?.lowercased(), url.user == nil, url.password == nil, url.port == nil else { return false }
        let isScheme =
            scheme.map { actual == $0.lowercased() }
            ?? (actual.hasSuffix(schemeEnding.lowercased()) && actual != schemeEnding.lowercased())
        return isScheme && url.host()?.lowercased() == host.lowercased() && url.path(percentEncoded: true) == path
    }

    /// Returns the parameters that are added to the page's query.
    ///
    /// - Parameters:
    ///   - url: The callback.
    ///   - stated: The application that opened the URL, according to the system.
    ///   - expected: The application that must have opened the URL.
    func parameters(of url: URL, from stated: String?, expecting expected: String) throws(CallbackRefusal) -> FormParameters {
        let parts = url.absoluteString.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query: FormParameters
        do {
            // In a form, a plus sign is a space. In a URL of an application, it stands for itself.
            query = try FormParameters(parsing: parts.count == 2 ? parts[1].replacing("+", with: "%2B") : "")
        } catch {
            switch error {
            case .malformed: throw .malformed
            case .repeated: throw .repeatedParameter
            }
        }
        let named = [stated, source.flatMap { query[$0] }].compactMap { $0 }
        guard !named.isEmpty, named.allSatisfy({ $0 == expected }) else { throw .otherApplication }
        return try parameters(of: query)
    }

    /// Returns the parameters that are added to the page's query.
    func parameters(of items: [URLQueryItem]) throws(CallbackRefusal) -> FormParameters {
        var query = FormParameters()
        for item in items {
            guard query[item.name] == nil else { throw .repeatedParameter }
            query[item.name] = item.value ?? ""
        }
        return try parameters(of: query)
    }

    private func parameters(of query: FormParameters) throws(CallbackRefusal) -> FormParameters {
        var parameters = FormParameters()
        for item in self.query {
            guard let value = query[nonempty: item.name] else { throw .missingParameter(item.name) }
            parameters[item.pageName] = value
        }
        return parameters
    }
}
