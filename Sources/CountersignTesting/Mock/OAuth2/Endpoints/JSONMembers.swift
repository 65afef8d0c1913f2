internal import Countersign
import Foundation

/// A JSON object with ordered members and arbitrary, even invalid, values.
package struct JSONMembers: Sendable, RedactedDescription {
    private var members: [(name: String, json: String)] = []

    /// Creates an object without members.
    package init() {}

    /// Sets a member to a text.
    package mutating func set(_ name: String, to text: String) { set(name, toJSON: Self.quoted(text)) }

    /// Sets a member to a list of texts.
    package mutating func set(_ name: String, toTexts texts: [String]) {
        set(name, toJSON: "[" + texts.map(Self.quoted).joined(separator: ",") + "]")
    }

    /// Sets a member to a JSON text, or removes it.
    package mutating func set(_ name: String, toJSON json: String?) {
        members.removeAll { $0.name == name }
        if let json { members.append((name, json)) }
    }

    /// The JSON text.
    package var text: String {
        "{" + members.map { "\(Self.quoted($0.name)):\($0.json)" }.joined(separator: ",") + "}"
    }

    /// Returns a text as a JSON string.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\0"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
