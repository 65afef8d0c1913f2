/// Messages of servers for errors and logs. A server may echo a secret that a request has sent.
enum EchoedSecrets {
    /// The characters of a message that are read. Errors keep only its beginning, so the rest need not be searched.
    private static let maximumLength = 1 << 14

    /// Returns the beginning of a message without secrets.
    ///
    /// Invisible characters are removed first, because a secret that contains one would not be found. Characters are compared, which
    /// finds other normal forms of Unicode, and then scalars, because a combining character after a secret would be a part of its
    /// last letter.
    ///
    /// - Parameter length: The UTF-8 length from which a secret is redacted. Shorter ones would match parts of ordinary words.
    static func redacting(_ message: String, _ secrets: some Sequence<String>, from length: Int) -> String {
        var text = String.UnicodeScalarView(message.unicodeScalars.prefix(maximumLength).filter { !isInvisible($0) })
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where secret.utf8.count >= length {
            let visible = secret.unicodeScalars.filter { !isInvisible($0) }
            guard !visible.isEmpty else { continue }
            text = String(text).replacing(String(visible), with: redacted).unicodeScalars
            text = text.replacing(visible, with: redacted.unicodeScalars)
        }
        return String(text)
    }

    /// Returns a message for errors: without secrets, on one line, and at most 300 characters of Unicode; `nil` if it is blank.
    static func line(_ message: String, without secrets: some Sequence<String>) -> String? {
        let scalars = redacting(message, secrets, from: 3).unicodeScalars.map { scalar in
            let isLayout: Bool =
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            return isLayout ? " " : scalar
        }
        guard scalars.contains(where: { !$0.properties.isWhitespace }) else { return nil }
        return String(String.UnicodeScalarView(scalars).prefix(300))
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .format }
}
