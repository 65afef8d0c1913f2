#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

@_spi(Generated)
extension ConfigurationValues {
    /// Returns a required value of the configuration, or its default.
    public func required<Value>(_ value: Value?, key: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .missingKey(key, source: source) }
        return value
    }

    /// Returns a required value that the landscape's settings could provide. If it is missing because the settings are invalid,
    /// their error is the reason.
    public func required<Value, Settings>(_ value: Value?, key: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try required(value, key: key)
    }

    /// Returns a required text of the configuration or of the landscape's settings in it. If it is missing because the settings are
    /// invalid, their error is the reason.
    public func requiredString<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, String>
    ) throws -> String {
        try text(keys) ?? derived.get()[keyPath: field]
    }

    /// Returns a required URL of the configuration or of the landscape's settings in it. If it is missing because the settings are
    /// invalid, their error is the reason.
    public func requiredURL<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, URL>
    ) throws -> URL {
        try url(keys) ?? derived.get()[keyPath: field]
    }

    /// Returns a required value that the landscape's settings provide. If it is missing because the settings are invalid, their
    /// error is thrown.
    public func derived<Value, Settings>(_ value: Value?, field: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try derived(value, field: field)
    }

    /// Returns a required value that no key of the configuration provides.
    public func derived<Value>(_ value: Value?, field: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalidStructure(detail: "there is no value for '\(field)'", source: source) }
        return value
    }

    /// Returns the name of a header field (RFC 9110, section 5.1).
    public func header(_ keys: [String]) throws(ConfigurationError) -> String? {
        try value(keys, "the name of a header field") { HTTPField.Name($0) == nil ? nil : $0 }
    }

    /// Returns `true` or `false`.
    public func boolean(_ keys: [String]) throws(ConfigurationError) -> Bool? {
        try value(keys, "true or false") { Bool($0) }
    }

    /// Returns a value of a closed set.
    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ keys: [String], of type: Choice.Type
    ) throws(ConfigurationError) -> Choice? where Choice.RawValue == String {
        let values = type.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try value(keys, "one of \(values)") { Choice(rawValue: $0) }
    }

    /// Returns names separated by white space or commas.
    public func scopes(_ keys: [String]) throws(ConfigurationError) -> Set<String>? {
        try value(keys, "a list of scopes", asList: true) { text in
            Set(text.split { $0.isWhitespace || $0 == "," }.map(String.init))
        }
    }

    /// Returns texts separated by commas; an empty list for an empty text.
    public func texts(_ keys: [String]) throws(ConfigurationError) -> [String]? {
        try value(keys, "a list of strings", asList: true) { text in
            // Spaces around a comma are allowed for readability.
            let texts = text.split(separator: ",").map { piece in
                String(piece.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }.filter { !$0.isEmpty }
            return texts.isEmpty && !text.isEmpty ? nil : texts
        }
    }

    private func value<Value>(
        _ keys: [String], _ shape: String, asList isList: Bool = false, _ read: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let (key, text) = try found(keys, asList: isList) else { return nil }
        guard let value = read(text) else {
            throw .invalidStructure(detail: "'\(key)' is not \(shape)", source: source)
        }
        return value
    }
}
