#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Functions for generated code only; not for direct use.
///
/// The name is the version of the interface between generator and runtime. Every generated file refers to it, so code of another
/// version fails to compile and names the missing version. A change that breaks generated code renames this type.
public enum GeneratedCodeVersion3 {
    /// Returns a URL that is a literal in a spec.
    ///
    /// It is not part of the `Generated` interface because default arguments of initialisers use it.
    public static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: String(describing: text)) else {
            // The generator has made the same call with the same text, and rejects a text that is not a URL.
            preconditionFailure("The generated text '\(text)' is not a URL")
        }
        return url
    }

    /// Returns a value of a closed set as a value of another one, which has all values of the first.
    @_spi(Generated)
    public static func choice<Given: RawRepresentable<String>, Choice: RawRepresentable<String>>(_ given: Given) -> Choice {
        guard let choice = Choice(rawValue: given.rawValue) else {
            // The reader of the specs rejects a value that the other set lacks.
            preconditionFailure("The value '\(given.rawValue)' of a generated type is not one of '\(Choice.self)'")
        }
        return choice
    }

    /// Returns parameters that are filled with the examples of a spec.
    @_spi(Generated)
    public static func example<Value>(_ value: () throws -> Value) -> Value {
        do {
            return try value()
        } catch {
            // An initialiser throws for an empty text, which the generator never writes.
            preconditionFailure("An example of the spec cannot be used: \(error)")
        }
    }

    /// Returns scopes as sent in requests (RFC 6749, section 3.3), in a stable order; `nil` if there are none.
    @_spi(Generated)
    public static func text(of scopes: Set<String>) -> String? {
        scopes.isEmpty ? nil : scopes.sorted().joined(separator: " ")
    }

    /// Returns a list of texts joined by commas; `nil` if the list is empty.
    @_spi(Generated)
    public static func text(of texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: ",")
    }
}
