#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The texts of a configuration file, by key, and where they came from. Generated parameter types read themselves from it.
public struct ConfigurationValues: Sendable {
    /// The texts by key.
    public var values: [String: String] {
        didSet {
            // What is put in the place of another value is a text.
            let changed = lists.union(unreadable).filter { values[$0] != oldValue[$0] }
            lists.subtract(changed)
            unreadable.subtract(changed)
        }
    }
    /// What to call the source in an error, such as a file's name.
    public var source: String
    /// The server that relative addresses belong to.
    public var baseURL: URL?
    /// The keys whose value is a list of texts, which ``values`` has with commas between them.
    package var lists: Set<String> = []
    /// The keys whose value is neither a text nor a list of texts: an error for whatever asks for one of them.
    package var unreadable: Set<String> = []

    public init(_ values: [String: String], source: String, baseURL: URL? = nil) {
        self.values = values
        self.source = source
        self.baseURL = baseURL
    }

    /// A text that has to be there.
    public func requiredString(_ keys: [String]) throws(ConfigurationError) -> String {
        guard let value = try text(keys) else { throw .missingKey(keys.first ?? "", source: source) }
        return value
    }

    /// The text under the first of the keys that is there; `nil` if none is.
    ///
    /// - Throws: ``ConfigurationError/invalidStructure(detail:source:)`` for what is no text on one line.
    public func text(_ keys: [String]) throws(ConfigurationError) -> String? {
        guard let (key, text) = try found(keys) else { return nil }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidStructure(detail: "'\(key)' has control characters in it", source: source)
        }
        return text
    }

    /// The first of the keys that is there, with its text.
    ///
    /// - Parameter isList: Whether a list of texts will do.
    package func found(_ keys: [String], asList isList: Bool = false) throws(ConfigurationError) -> (key: String, text: String)? {
        for key in keys {
            if unreadable.contains(key) || !isList && lists.contains(key) {
                throw .invalidStructure(
                    detail: isList ? "'\(key)' is neither a text nor a list of texts" : "'\(key)' is not a text", source: source)
            }
            if let text = values[key] { return (key, text) }
        }
        return nil
    }

    /// The URL under the first of the keys that is there, made absolute; `nil` if none is.
    ///
    /// It is an `http` or `https` URL, or a path of the server that begins with a slash; under a key that ends in `redirectURL` no path, but
    /// perhaps a URL with an application's own scheme (RFC 8252, section 7.1).
    ///
    /// - Throws: ``ConfigurationError/invalidStructure(detail:source:)`` for anything else, and for a URL with a user's name in it.
    public func url(_ keys: [String]) throws(ConfigurationError) -> URL? {
        guard let (key, text) = try found(keys) else { return nil }
        // Foundation would encode them, and begin a path with what was meant for an address.
        let hasGaps = text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let isRedirect = key.hasSuffix("redirectURL")
        let isPath = !isRedirect && text.hasPrefix("/") && !text.hasPrefix("//")
        if !hasGaps, let url = isPath ? URL(string: text, relativeTo: baseURL)?.absoluteURL : URL(string: text) {
            // Names and passwords in an address make it look like another, and would be sent along.
            guard url.user == nil, url.password == nil else {
                throw .invalidStructure(detail: "'\(key)' has a user's name in it", source: source)
            }
            if Origin(url) != nil || isRedirect && Self.hasOwnScheme(url) { return url }
        }
        let rest = isRedirect ? "one of an application's own scheme" : "a path that begins with a slash"
        throw .invalidStructure(detail: "'\(key)' is neither an absolute http or https URL nor \(rest)", source: source)
    }

    /// Whether a URL leads to an application: what browsers and systems open themselves does not.
    private static func hasOwnScheme(_ url: URL) -> Bool {
        let others: Set = ["http", "https", "ws", "wss", "ftp", "file", "data", "blob", "javascript", "about", "mailto"]
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !others.contains(scheme) && url.absoluteString.count > scheme.count + 1
    }

    /// A URL that has to be there.
    public func requiredURL(_ keys: [String]) throws(ConfigurationError) -> URL {
        guard let value = try url(keys) else { throw .missingKey(keys.first ?? "", source: source) }
        return value
    }
}

/// Why a configuration cannot be read.
public enum ConfigurationError: AuthenticationError, Hashable {
    /// A key is missing.
    case missingKey(String, source: String)
    /// A value has the wrong shape.
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

    /// What to call a source at the begin of a sentence: files keep their names.
    private static func begun(_ source: String) -> String { source.hasPrefix("the ") ? "The " + source.dropFirst(4) : source }
}
