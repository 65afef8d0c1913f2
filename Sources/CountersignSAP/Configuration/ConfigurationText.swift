internal import Countersign
internal import Foundation

/// Parses the bytes of a configuration. Errors quote nothing of them, since they may contain a passcode or a secret.
enum ConfigurationText {
    /// The maximum size of a configuration in bytes. Generated ones have less than 2,000, and a QR code less than 3,000.
    static let maximumSize = 1 << 20

    /// Parses a property list (XML or binary) or JSON.
    static func read(_ data: Data, source: String) throws(ConfigurationError) -> ConfigurationNode {
        let start = data.prefix(64).drop { " \t\r\n\u{FEFF}".utf8.contains($0) }
        // A property list begins with `<` or `bplist`, which valid JSON cannot begin with.
        let isPropertyList = start.first == UInt8(ascii: "<") || start.starts(with: "bplist".utf8)
        return try isPropertyList ? readPropertyList(data, source: source) : readJSON(data, source: source)
    }

    /// Parses JSON.
    static func readJSON(_ data: Data, source: String) throws(ConfigurationError) -> ConfigurationNode {
        try checkLength(data, source: source)
        // Foundation limits the depth to 512 levels.
        guard let value = try? JSONSerialization.jsonObject(with: data) else {
            throw .invalidStructure(detail: "the text is not JSON", source: source)
        }
        return try ConfigurationNode(value, source: source)
    }

    private static func readPropertyList(_ data: Data, source: String) throws(ConfigurationError) -> ConfigurationNode {
        try checkLength(data, source: source)
        guard !data.starts(with: "bplist".utf8) || BinaryPropertyListOutline.isWithinLimits(data) else {
            throw .invalidStructure(
                detail: "the property list is malformed, nested too deeply, or repeats values too often", source: source)
        }
        guard let value = try? PropertyListSerialization.propertyList(from: data, format: nil) else {
            throw .invalidStructure(detail: "the file is not a property list", source: source)
        }
        return try ConfigurationNode(value, source: source)
    }

    private static func checkLength(_ data: Data, source: String) throws(ConfigurationError) {
        guard data.count <= maximumSize else {
            throw .invalidStructure(detail: "it has more than \(maximumSize) bytes", source: source)
        }
    }
}
