#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON text of a server, read within the limits of ``JSONOutline``, in which values are found by pointers (RFC 6901).
indirect enum JSONTree: Sendable {
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    /// Reads a text; `nil` if it is no JSON, is too deep, or has a member twice at its outermost level.
    init?(_ bytes: [UInt8]) {
        guard let outline = try? JSONOutline(bytes), outline.isComplete, Set(outline.names).count == outline.names.count,
            let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        else { return nil }
        self = tree
    }

    /// The value at a pointer; `nil` if there is none, or `null`.
    subscript(pointer: String) -> JSONTree? {
        var value = self
        for segment in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(segment).replacing("~1", with: "/").replacing("~0", with: "~")
            switch value {
            case .object(let members):
                guard let member = members[name] else { return nil }
                value = member
            case .list(let values):
                guard let index = Int(name), values.indices.contains(index) else { return nil }
                value = values[index]
            default: return nil
            }
        }
        if case .null = value { return nil }
        return value
    }

    /// A text, a number or a truth value as text; `nil` for an object or a list.
    var scalar: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .object, .list, .null: nil
        }
    }
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let values = try? container.decode([JSONTree].self) {
            self = .list(values)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}

extension JSONTree: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { [:] }
}
