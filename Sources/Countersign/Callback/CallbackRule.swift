#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A URL by which another application moves a waiting page on, as x-callback-url has it.
///
/// `com.example.app.xcallbackurl://x-callback-url/setCredential?x-source=…&passcode_paramvalue=…` is an example: the scheme is the
/// application's own and has a known end, host and path are known, and some values of the query go into that of the page.
public struct CallbackRule: Sendable, Hashable {
    /// The end of the scheme, such as `.xcallbackurl`; what stands before it is the application's own.
    public let schemeEnding: String
    /// The host.
    public let host: String
    /// The path, with the slash that it begins with.
    public let path: String
    /// The application that is expected, unless the authenticator names another.
    public let application: String
    /// The name in the query under which the other application identifies itself; `nil` if only the system says so.
    public let source: String?
    /// The values that go over.
    public let query: [Item]

    /// A value that goes over.
    public struct Item: Sendable, Hashable {
        /// The name in the callback.
        public let name: String
        /// The name in the page's query.
        public let pageName: String

        /// Makes an item.
        public init(_ name: String, as pageName: String) {
            self.name = name
            self.pageName = pageName
        }
    }

    /// Makes a rule.
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
    /// Whether a URL is such a callback, whatever its query says.
    ///
    /// - Parameter scheme: The whole scheme, where it is known; compared without case, as schemes are (RFC 3986, section 3.1).
    func accepts(_ url: URL, scheme: String?) -> Bool {
        guard let actual = url.scheme?.lowercased(), url.user == nil, url.password == nil, url.port == nil else { return false }
        let isScheme =
            scheme.map { actual == $0.lowercased() }
            ?? (actual.hasSuffix(schemeEnding.lowercased()) && actual != schemeEnding.lowercased())
        return isScheme && url.host()?.lowercased() == host.lowercased() && url.path(percentEncoded: true) == path
    }

    /// What goes into the page's query.
    ///
    /// - Parameters:
    ///   - url: The callback.
    ///   - stated: The application that it comes from, as the system says.
    ///   - expected: The application that it has to come from.
    func parameters(of url: URL, from stated: String?, expecting expected: String) throws(CallbackRefusal) -> FormParameters {
        let parts = url.absoluteString.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query: FormParameters
        do {
            // A form's encoding of a space; in a URL that an application makes, a plus sign is itself.
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

    /// What goes into the page's query.
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
