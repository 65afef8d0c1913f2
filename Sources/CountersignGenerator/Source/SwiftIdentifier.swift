import CountersignSpec

/// The name of a declaration, in backticks where Swift needs them.
package struct SwiftIdentifier: SwiftText, Hashable {
    /// The name in the spec.
    package let name: String

    /// Creates an identifier from a name; `nil` if the name has other characters than ASCII letters, digits and underscores,
    /// begins with a digit, or has only underscores.
    package init?(_ name: String) {
        guard let first = name.utf8.first, !Self.isDigit(first), name.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) }),
            name.utf8.contains(where: { $0 != UInt8(ascii: "_") })
        else { return nil }
        self.name = name
    }

    package var source: String { SwiftKeywords.contains(name) ? "`\(name)`" : name }

    /// The name as the label of an argument, where the compiler warns about unnecessary backticks.
    package var label: Label { Label(source: name == "inout" ? source : name) }

    /// The name after a dot, where keywords need no backticks.
    package var member: Label { Label(source: ["init", "self", "Type", "Protocol"].contains(name) ? source : name) }

    /// The name as the label of an argument, or as a member.
    package struct Label: SwiftText, Hashable {
        package let source: String
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension SwiftIdentifier {
    /// Creates the name of a constant that stands for a type or module: `httpLandscape` for `HTTPLandscape`.
    package init?(lowerCamel name: String) { self.init(name.lowerCamelCase) }
}
