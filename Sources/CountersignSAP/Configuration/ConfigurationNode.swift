internal import Countersign
internal import Foundation

/// A node of a configuration: the common types of property lists and JSON, limited in depth and number.
indirect enum ConfigurationNode: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case truth(Bool)
    case list([ConfigurationNode])
    case dictionary([String: ConfigurationNode])
    /// A value without use in configurations: bytes and dates of property lists, and numbers that are not finite or exceed 64
    /// bits.
    case other

    /// The maximum depth. Generated configurations have at most 5 levels.
    static let maximumDepth = 32
    /// The maximum number of values. A binary property list of a few bytes can refer to the same list many times.
    static let maximumNodes = 10_000

    /// Converts a Foundation value. Keys with `NSNull` are omitted.
    init(_ value: Any, source: String) throws(ConfigurationError) {
        var budget = Self.maximumNodes
        guard let node = try Self.read(value, depth: 0, budget: &budget, source: source) else {
            throw .invalidStructure(detail: "the top level is empty", source: source)
        }
        self = node
    }

    private static func read(
        _ value: Any, depth: Int, budget: inout Int, source: String
    ) throws(ConfigurationError) -> ConfigurationNode? {
        guard depth <= maximumDepth else {
            throw .invalidStructure(detail: "it is nested deeper than \(maximumDepth) levels", source: source)
        }
        budget -= 1
        guard budget >= 0 else { throw .invalidStructure(detail: "it has more than \(maximumNodes) values", source: source) }
        if value is NSNull { return nil }
        if let text = value as? String { return .text(text) }
        if let number = value as? NSNumber { return Self.number(number) }
        if let values = value as? [String: Any] {
            var nodes: [String: ConfigurationNode] = [:]
            for (key, value) in values {
                nodes[key] = try read(value, depth: depth + 1, budget: &budget, source: source)
            }
            return .dictionary(nodes)
        }
        if let values = value as? [Any] {
            var nodes: [ConfigurationNode] = []
            for value in values {
                if let node = try read(value, depth: depth + 1, budget: &budget, source: source) { nodes.append(node) }
            }
            return .list(nodes)
        }
        return .other
    }

    private static func number(_ number: NSNumber) -> ConfigurationNode {
        // In Foundation, Boolean values differ from numbers only by their C type.
        switch String(cString: number.objCType) {
        case "c", "B": .truth(number.boolValue)
        case "d", "f": number.doubleValue.isFinite ? .number(number.doubleValue) : .other
        case "Q": Int64(exactly: number.uint64Value).map { .integer($0) } ?? .other
        default: .integer(number.int64Value)
        }
    }

    /// The value as text; `nil` unless it is a text, a number or a Boolean value.
    var text: String? {
        switch self {
        case .text(let text): text
        case .integer(let value): String(value)
        case .number(let value): NSNumber(value: value).stringValue
        case .truth(let value): String(value)
        case .list, .dictionary, .other: nil
        }
    }

    /// The value as text; for a list of such values, their texts separated by commas.
    var joinedTexts: String? {
        guard case .list(let nodes) = self else { return text }
        let texts = nodes.compactMap(\.text)
        return texts.count == nodes.count ? texts.joined(separator: ",") : nil
    }

    /// The value of a key; `nil` if the node is not a dictionary or does not have the key.
    subscript(key: String) -> ConfigurationNode? {
        guard case .dictionary(let nodes) = self else { return nil }
        return nodes[key]
    }

    /// The value as a Foundation type.
    var foundationValue: Any {
        switch self {
        case .text(let text): text
        case .integer(let value): NSNumber(value: value)
        case .number(let value): NSNumber(value: value)
        case .truth(let value): NSNumber(value: value)
        case .list(let nodes): nodes.map(\.foundationValue)
        case .dictionary(let nodes): nodes.mapValues(\.foundationValue)
        case .other: ""
        }
    }
}
