#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON value with placeholders.
public indirect enum JSONTemplate: Sendable, Hashable {
    /// A text. It is omitted, with its name, if a value in it is absent.
    case text(ProgramTemplate)
    /// The JSON that a step has computed into a slot, or an object of the answers in it. It is omitted, with its name, if it is
    /// absent.
    case slot(Int)
    /// A number in its source form.
    case number(String)
    case flag(Bool)
    case null
    case list([JSONTemplate])
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        public let name: ProgramTemplate
        public let value: JSONTemplate

        /// Creates a member. It is omitted if a value in its name is absent.
        public init(_ name: ProgramTemplate, _ value: JSONTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the JSON as text; `nil` if it is omitted.
    ///
    /// - Parameter values: The values by slot.
    func text(_ values: [ProgramValue]) -> String? {
        switch self {
        case .text(let template): template.text(values).map(Self.quoted)
        case .slot(let slot):
            switch values[slot] {
            case .json(let text): text
            case .members(let answers):
                JSONTemplate.object(
                    answers.sorted { $0.key < $1.key }.map { Member(.text($0.key), .text(.text($0.value))) }
                )
                .text(values)
            default: nil
            }
        case .number(let number): number
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        case .list(let items): "[\(items.compactMap { $0.text(values) }.joined(separator: ","))]"
        case .object(let members):
            "{\(members.compactMap { $0.text(values) }.joined(separator: ","))}"
        }
    }

    /// Returns a text as a JSON string (RFC 8259, section 7).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONTemplate: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates an object with members in this order.
    public init(dictionaryLiteral elements: (ProgramTemplate, JSONTemplate)...) { self = .object(elements.map { Member($0, $1) }) }

    public init(arrayLiteral elements: JSONTemplate...) { self = .list(elements) }
}

extension JSONTemplate.Member {
    /// Returns the member as text; `nil` if it is omitted.
    fileprivate func text(_ values: [ProgramValue]) -> String? {
        guard let name = self.name.text(values), let value = self.value.text(values) else { return nil }
        return "\(JSONTemplate.quoted(name)):\(value)"
    }
}

extension JSONTemplate {
    /// Whether the template uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .text(let template): template.uses(slots)
        case .slot(let slot): slots.contains(slot)
        case .number, .flag, .null: false
        case .list(let items): items.contains { $0.uses(slots) }
        case .object(let members): members.contains { $0.name.uses(slots) || $0.value.uses(slots) }
        }
    }
}
