import Foundation

/// The code in the JSON body of a refusal by which a spec can recognise it, such as `{"code": 4711}`.
struct RefusalCode: Equatable {
    /// The JSON Pointer of the code.
    let pointer: String
    /// The code as a scalar in YAML.
    let scalar: String

    /// The names of members that usually have a code.
    private static let names = ["code", "error", "errorCode", "error_code", "reason", "type"]

    /// Finds the first whole number or short word under one of the usual names, on the first level of the body or below one of
    /// these names.
    ///
    /// - Returns: `nil` if the body is not a JSON object or has no code.
    init?(in body: [UInt8]) {
        guard let members = try? JSONDecoder().decode([String: Value].self, from: Data(body)),
            let found = Self.first(in: members)
        else { return nil }
        (pointer, scalar) = found
    }

    private static func first(in members: [String: Value]) -> (pointer: String, scalar: String)? {
        for name in names {
            switch members[name] {
            case .number(let number): return ("/\(name)", "\(number)")
            case .word(let word): return ("/\(name)", "\"\(word)\"")
            case .members(let inner):
                if let found = first(in: inner) { return ("/\(name)\(found.pointer)", found.scalar) }
            case .other, nil: continue
            }
        }
        return nil
    }

    private enum Value: Decodable {
        case number(Int)
        case word(String)
        case members([String: Value])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = Self.isWord(text) ? .word(text) : .other
            } else if let members = try? container.decode([String: Value].self) {
                self = .members(members)
            } else {
                self = .other
            }
        }

        /// The characters of a code.
        private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")

        /// Whether a text is a code rather than a sentence. The words `present` and `absent` have a meaning of their own in a spec.
        private static func isWord(_ text: String) -> Bool {
            guard (1...40).contains(text.count), text != "present", text != "absent" else { return false }
            return text.allSatisfy { letters.contains($0) }
        }
    }
}
