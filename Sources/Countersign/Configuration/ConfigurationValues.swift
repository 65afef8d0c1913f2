#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The texts of a configuration file, by key, and where they came from. Generated parameter types read themselves from it.
public struct ConfigurationValues: Sendable {
    /// The texts by key.
    public var values: [String: String]
    /// What to call the source in an error, such as a file's name.
    public var source: String
    /// The server that relative addresses belong to.
    public var baseURL: URL?

    public init(_ values: [String: String], source: String, baseURL: URL? = nil) {
        self.values = values
        self.source = source
        self.baseURL = baseURL
    }

    /// The first of the keys that is there.
    public func string(_ keys: [String]) -> String? {
        for key in keys { if let value = values[key] { return value } }
        return nil
    }

    /// A text that has to be there.
    public func requiredString(_ keys: [String]) throws(ConfigurationError) -> String {
        guard let value = string(keys) else { throw .missingKey(keys.first ?? "", source: source) }
        return value
    }

    /// The URL under the first of the keys that is there, made absolute; `nil` if none is.
    ///
    /// It is an `http` or `https` URL, but under a key that ends in `redirectURL`: there it may have an application's own scheme
    /// (RFC 8252, section 7.1).
    public func url(_ keys: [String]) throws(ConfigurationError) -> URL? {
        guard let key = keys.first(where: { values[$0] != nil }), let text = values[key] else { return nil }
        let url = URL(string: text, relativeTo: baseURL)?.absoluteURL
        if let url, Origin(url) != nil { return url }
        if let url, key.hasSuffix("redirectURL"), Self.hasOwnScheme(url) { return url }
        throw .invalidStructure(detail: "'\(key)' is not an absolute http or https URL", source: source)
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
