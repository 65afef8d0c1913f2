/// A value of a field with a closed set of values.
package struct ResolvedChoice: Sendable, Hashable {
    /// The text, which is also the text in templates.
    package var value: Located<String>
    /// One sentence for the documentation.
    package var summary: String
}

extension ResolvedChoice {
    /// Returns the name of the enumeration that is generated for a field: `ClientAuthentication` for `clientAuthentication`.
    package static func typeName(of field: String) -> String { field.prefix(1).uppercased() + field.dropFirst() }

    /// Returns the name of the case that is generated for a value: `clientSecretBasic` for `client_secret_basic`.
    ///
    /// All characters other than ASCII letters and digits separate words. A name that begins with a digit, or that is reserved in
    /// an enumeration, is preceded by `value`: `valueNone` for `none`.
    ///
    /// - Returns: `nil` for a value without ASCII letters and digits.
    package static func caseName(of value: String) -> String? {
        let words = value.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        guard let first = words.first else { return nil }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let name = String(first).lowerCamelCase + rest
        let isValid = name.first?.isLetter == true && !ReservedNames.choices.contains(name)
        return isValid ? name : "value" + name.prefix(1).uppercased() + name.dropFirst()
    }
}

extension String {
    /// The name with its leading capitals in lower case, except for the last one if a lower-case letter follows it:
    /// `httpLandscape` for `HTTPLandscape`.
    package var lowerCamelCase: String {
        let capitals = prefix { $0.isASCII && $0.isUppercase }
        let next = self[capitals.endIndex...].first
        let isWordAtEnd = capitals.count > 1 && (next.map { $0.isASCII && $0.isLowercase } ?? false)
        let lowered = isWordAtEnd ? capitals.dropLast() : capitals
        return lowered.lowercased() + self[lowered.endIndex...]
    }
}
