public import Foundation

/// The server's settings for the clients of an application, as JSON.
public struct ClientSettings: Sendable, Codable, Equatable {
    /// The JSON text.
    public let json: Data

    /// Creates settings from the body of a response.
    public init(json: Data) { self.json = json }

    /// Decodes the settings as a type of the application.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Settings: Decodable>(_ type: Settings.Type) throws -> Settings { try JSONDecoder().decode(type, from: json) }
}
