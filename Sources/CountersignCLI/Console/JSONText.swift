import Foundation

/// The JSON of a report: indented, with sorted names, and with dates in ISO 8601.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Escapes the control and format characters that JSON allows in strings. A text can come from a server, and a terminal would obey
    /// such characters. Outside of strings, JSON has none of them.
    private static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isObeyed) else { return json }
        var text = ""
        for scalar in json.unicodeScalars {
            guard isObeyed(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        // The encoder escapes those before U+007F, and its line breaks are not in strings.
        guard scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
