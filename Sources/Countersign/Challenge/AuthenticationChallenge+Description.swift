extension AuthenticationChallenge: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The parameters that explain a challenge to the user. They are not secret in any scheme (RFC 9110, section 11.5; RFC 6750,
    /// section 3).
    private static let shownParameters: Set = ["realm", "error", "scope"]
    /// The maximum length of a shown text in Unicode scalars, since the server chooses its length.
    private static let shownLength = 100

    /// The scheme, the parameter names, and the values of `realm`, `error` and `scope`.
    public var description: String {
        let parameters = shown.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
        let parts = [Self.shown(scheme), token68 == nil ? "" : "<redacted>", parameters]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// The same content as the description, for debuggers and `dump`.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scheme": Self.shown(scheme), "token68": (token68 == nil ? "nil" : "<redacted>"),
                "parameters": Dictionary(shown.map { ($0.name, $0.value) }) { first, _ in first },
            ],
            displayStyle: .struct)
    }

    private var shown: [(name: String, value: String)] {
        parameters.sorted { $0.key < $1.key }.map { name, value in
            let isShown = Self.shownParameters.contains(name)
            return (Self.shown(name), isShown ? Self.quoted(Self.shown(value)) : "<redacted>")
        }
    }

    /// Returns the beginning of a server's text, with replacements for characters that would move or hide the surrounding text.
    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(shownLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown) + (text.unicodeScalars.dropFirst(shownLength).isEmpty ? "" : "…")
    }
}
