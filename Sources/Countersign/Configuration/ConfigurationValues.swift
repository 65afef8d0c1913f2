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
    public func url(_ keys: [String]) throws(ConfigurationError) -> URL? {
        guard let text = string(keys) else { return nil }
        guard let url = URL(string: text, relativeTo: baseURL)?.absoluteURL, Origin(url) != nil else {
            throw .invalidStructure(
                detail: "'\(keys.first { values[$0] != nil } ?? "")' is not an absolute http or https URL", source: source)
        }
        return url
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
        case .missingKey(let key, let source): "\(source) has no '\(key)'."
        case .invalidStructure(let detail, let source): "In \(source), \(detail)."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .missingKey(let key, let source): "Add '\(key)' to \(source)."
        case .invalidStructure(_, let source): "Correct \(source)."
        }
    }
}
