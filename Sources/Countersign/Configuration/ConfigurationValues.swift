#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The texts of a configuration file by key, with their source. Generated parameter types are initialised from it.
public struct ConfigurationValues: Sendable {
    /// The texts by key.
    public var values: [String: String] {
        didSet {
            // A value that replaces another one is a text.
            let changed = lists.union(unreadable).filter { values[$0] != oldValue[$0] }
            lists.subtract(changed)
            unreadable.subtract(changed)
        }
    }
    /// The name of the source in errors, such as a file name.
    public var source: String
    /// The base of relative URLs.
    public var baseURL: URL?
    /// The keys whose value is a list of texts. ``values`` contains the list joined by commas.
    package var lists: Set<String> = []
    /// The keys whose value is neither a text nor a list of texts. Reading one of them throws an error.
    package var unreadable: Set<String> = []

    /// Creates the values of a configuration.
    ///
    /// - Parameters:
    ///   - values: The texts by key.
    ///   - source: The name of the source in errors, such as a file name.
    ///   - baseURL: The base of relative URLs; `nil` if there are none.
    public init(_ values: [String: String], source: String, baseURL: URL? = nil) {
        self.values = values
        self.source = source
        self.baseURL = baseURL
    }

    /// Returns a required text.
    public func requiredString(_ keys: [String]) throws(ConfigurationError) -> String {
        guard let value = try text(keys) else { throw .missingKey(keys.first ?? "", source: source) }
        return value
    }

    /// Returns the text of the first key that is present, or `nil` if none is.
    ///
    /// - Throws: ``ConfigurationError/invalidStructure(detail:source:)`` if the value is not a single-line text.
    public func text(_ keys: [String]) throws(ConfigurationError) -> String? {
        guard let (key, text) = try found(keys) else { return nil }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidStructure(detail: "'\(key)' contains control characters", source: source)
        }
        return text
    }

    /// Returns the first key that is present, with its text.
    ///
    /// - Parameter isList: Whether a list of texts is accepted.
    package func found(_ keys: [String], asList isList: Bool = false) throws(ConfigurationError) -> (key: String, text: String)? {
        for key in keys {
            if unreadable.contains(key) || !isList && lists.contains(key) {
                throw .invalidStructure(
                    detail: isList ? "'\(key)' is neither a string nor a list of strings" : "'\(key)' is not a string",
                    source: source)
            }
            if let text = values[key] { return (key, text) }
        }
        return nil
    }

    /// Returns the absolute URL of the first key that is present, or `nil` if none is.
    ///
    /// The value is an `http` or `https` URL, or a path that begins with a slash. A key that ends in `redirectURL` accepts no path,
    /// but a private-use URI scheme (RFC 8252, section 7.1).
    ///
    /// - Throws: ``ConfigurationError/invalidStructure(detail:source:)`` for anything else, and for a URL with a user name.
    public func url(_ keys: [String]) throws(ConfigurationError) -> URL? {
        guard let (key, text) = try found(keys) else { return nil }
        // Foundation would percent-encode these characters, and read a URL that follows them as a path.
        let hasGaps = text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let isRedirect = key.hasSuffix("redirectURL")
        // By bytes: a slash and a combining mark after it are one `Character`. Foundation drops some of these marks, such as U+FE0F.
        let isPath = !isRedirect && text.utf8.first == UInt8(ascii: "/") && text.utf8.dropFirst().first != UInt8(ascii: "/")
        if !hasGaps, let url = isPath ? URL(string: text, relativeTo: baseURL)?.absoluteURL : URL(string: text) {
            // A user name or password makes a URL look like another one, and would be sent with the request.
            guard url.user == nil, url.password == nil else {
                throw .invalidStructure(detail: "'\(key)' contains a user name", source: source)
            }
            if Origin(url) != nil || isRedirect && Self.hasOwnScheme(url) { return url }
        }
        let rest = isRedirect ? "a URL with an application's own scheme" : "a path that begins with a slash"
        throw .invalidStructure(detail: "'\(key)' is neither an absolute http or https URL nor \(rest)", source: source)
    }

    /// Whether the scheme of a URL belongs to an application, rather than to browsers and systems.
    private static func hasOwnScheme(_ url: URL) -> Bool {
        let others: Set = ["http", "https", "ws", "wss", "ftp", "file", "data", "blob", "javascript", "about", "mailto"]
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !others.contains(scheme) && url.absoluteString.count > scheme.count + 1
    }

    /// Returns a required URL.
    public func requiredURL(_ keys: [String]) throws(ConfigurationError) -> URL {
        guard let value = try url(keys) else { throw .missingKey(keys.first ?? "", source: source) }
        return value
    }
}

/// An error in a configuration.
public enum ConfigurationError: AuthenticationError, Hashable {
    /// A required key is missing.
    case missingKey(String, source: String)
    /// A value has the wrong type or syntax.
    case invalidStructure(detail: String, source: String)

    public static var authenticationMethod: String { "configuration" }
    public var code: String {
        switch self {
        case .missingKey: "missingKey"
        case .invalidStructure: "invalidStructure"
        }
    }
    public var errorDescription: String? { "The configuration cannot be used." }
    public var failureReason: String? {
        switch self {
        case .missingKey(let key, let source): "\(Self.begun(source)) has no '\(key)'."
        case .invalidStructure(let detail, let source): "In \(source), \(detail)."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .missingKey(let key, let source): "Add '\(key)' to \(source)."
        case .invalidStructure(_, let source): "Correct \(source)."
        }
    }

    /// Returns the name of a source for the beginning of a sentence. File names are not changed.
    private static func begun(_ source: String) -> String { source.hasPrefix("the ") ? "The " + source.dropFirst(4) : source }
}
