internal import Countersign
internal import Foundation

extension DiscoveryConfiguration: Codable {
    private enum CodingKeys: String, CodingKey { case source, json }

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError`; `ConfigurationError` if what is stored is no configuration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let json = try container.decode(String.self, forKey: .json)
        try self.init(data: Data(json.utf8), source: try container.decode(String.self, forKey: .source))
    }

    /// Writes the configuration ``afterPasscodeExchange()``: what is stored never holds a passcode, nor a client that would ask for one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        let data = try JSONSerialization.data(withJSONObject: afterPasscodeExchange().root.foundationValue, options: [.sortedKeys])
        try container.encode(String(decoding: data, as: UTF8.self), forKey: .json)
    }
}
