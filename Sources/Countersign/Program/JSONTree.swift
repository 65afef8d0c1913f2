#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON value of a server, decoded within the limits of ``JSONOutline`` and read by JSON pointers (RFC 6901).
package indirect enum JSONTree: Sendable, Decodable {
    case text(String)
    /// A number or Boolean as text.
    case scalar(String)
    case list([JSONTree])
    case object([String: JSONTree])
    case null

    /// Decodes a JSON text.
    ///
    /// - Returns: `nil` if it is not JSON in UTF-8 (RFC 8259, section 8.1), is nested too deeply, has too many values, or has an
    ///   object with a repeated name.
    package init?(_ bytes: [UInt8]) {
        guard let outline = try? JSONOutline(bytes), outline.isComplete, !outline.hasRepeatedNames,
            let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        else { return nil }
        self = tree
    }

    /// Reads a form as an object of texts.
    ///
    /// - Returns: `nil` if it is not a form, or repeats a name.
    init?(form bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let form = try? FormParameters(parsing: text) else { return nil }
        self = .object(Dictionary(form.all.map { ($0.name, .text($0.value)) }) { first, _ in first })
    }

    package init(from decoder: any Decoder) throws {
        // The most frequent types come first, because each wrong attempt costs an error, and the more the deeper it is nested.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            self = .scalar("\(number)")
        } else if var items = try? decoder.unkeyedContainer() {
            var list: [JSONTree] = []
            while !items.isAtEnd { list.append(try items.decode(JSONTree.self)) }
            self = .list(list)
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: JSONTree] = [:]
            for name in object.allKeys { members[name.stringValue] = try object.decode(JSONTree.self, forKey: name) }
            self = .object(members)
        } else if let flag = try? container.decode(Bool.self) {
            self = .scalar("\(flag)")
        } else if let number = try? container.decode(UInt64.self) {
            self = .scalar("\(number)")
        } else {
            self = .scalar("\(try container.decode(Double.self))")
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The value at a JSON pointer; `nil` if there is none or it is `null`.
    package subscript(pointer: String) -> JSONTree? {
        var tree = self
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(step.replacing("~1", with: "/").replacing("~0", with: "~"))
            switch tree {
            case .object(let members):
                guard let member = members[name] else { return nil }
                tree = member
            case .list(let items):
                guard let index = Int(name), String(index) == name, items.indices.contains(index) else { return nil }
                tree = items[index]
            case .text, .scalar, .null: return nil
            }
        }
        if case .null = tree { return nil }
        return tree
    }

    /// Returns the values at a JSON pointer in which the name `*` stands for every item of a list.
    func values(at pointer: String) -> [JSONTree] {
        var trees = [self]
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            trees = trees.flatMap { tree in
                if step == "*", case .list(let items) = tree {
                    return items.filter { if case .null = $0 { false } else { true } }
                }
                return [tree["/\(step)"]].compactMap(\.self)
            }
        }
        return trees
    }

    /// The value of a text, number or Boolean.
    package var text: String? {
        switch self {
        case .text(let text), .scalar(let text): text
        case .list, .object, .null: nil
        }
    }

    /// The items of a list of texts, or a single text; `nil` otherwise.
    package var texts: [String]? {
        guard case .list(let items) = self else { return text.map { [$0] } }
        let texts = items.compactMap(\.text)
        return texts.count == items.count ? texts : nil
    }
}

extension JSONTree {
    /// Returns an object with the members of another. Members of the same name are merged if both are objects; otherwise the
    /// other's is used.
    package func merged(with other: JSONTree) -> JSONTree {
        guard case .object(let own) = self, case .object(let others) = other else { return other }
        return .object(own.merging(others) { $0.merged(with: $1) })
    }

    /// The JSON text, with members sorted by name.
    package var json: String { template.text([]) ?? "null" }

    private var template: JSONTemplate {
        switch self {
        case .text(let text): .text(.text(text))
        case .scalar(let text): .number(text)
        case .list(let items): .list(items.map(\.template))
        case .object(let members): .object(members.sorted { $0.key < $1.key }.map { .init(.text($0.key), $0.value.template) })
        case .null: .null
        }
    }
}

extension JSONTree: RedactedDescription {}
