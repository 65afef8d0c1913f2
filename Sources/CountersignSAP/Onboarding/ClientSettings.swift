public import Foundation

/// What a server has set for the clients of an application, as the JSON that it gave.
public struct ClientSettings: Sendable, Codable, Equatable {
    /// The settings' bytes.
    public let json: Data

    /// Takes the bytes of an answer.
    public init(json: Data) { self.json = json }

    /// Reads the settings as a type of the application's own.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Settings: Decodable>(_ type: Settings.Type) throws -> Settings { try JSONDecoder().decode(type, from: json) }
}
