#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public keys of which a server must have one, in addition to a valid certificate.
///
/// A request with pins is sent only to a server whose certificate has one of these keys; see ``SessionRequest/pins``. The
/// certificate is verified as without pins.
///
/// ```swift
/// request.pins = try ServerPins(["sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="])
/// ```
public struct ServerPins: Sendable, Hashable {
    /// The pins; at least one.
    public let pins: Set<PublicKeyPin>

    /// Creates pins from texts, each parsed by ``PublicKeyPin/init(_:)``.
    ///
    /// - Throws: ``ServerPinError`` for a text that is not a pin, and if there are no texts, so that a request is never silently
    ///   sent without pins.
    public init(_ texts: some Sequence<String>) throws(ServerPinError) {
        var pins: Set<PublicKeyPin> = []
        for (index, text) in texts.enumerated() {
            guard let pin = PublicKeyPin(text) else { throw ServerPinError(position: index + 1) }
            pins.insert(pin)
        }
        guard !pins.isEmpty else { throw ServerPinError(position: nil) }
        self.pins = pins
    }

    /// Creates pins.
    ///
    /// - Returns: `nil` if the set is empty.
    public init?(_ pins: Set<PublicKeyPin>) {
        guard !pins.isEmpty else { return nil }
        self.pins = pins
    }

    /// Returns whether a server's key is pinned.
    public func contains(_ pin: PublicKeyPin) -> Bool { pins.contains(pin) }
}

extension ServerPins: CustomStringConvertible {
    /// The pins as texts, in a stable order.
    public var description: String { pins.map(\.description).sorted().joined(separator: ", ") }
}

/// A text that should be the pin of a server's key cannot be parsed, or there is none.
public struct ServerPinError: Error, Sendable, Hashable {
    /// The position of the text, counted from one; `nil` if there are no texts.
    public let position: Int?

    /// Creates an error.
    public init(position: Int?) { self.position = position }
}

extension ServerPinError: LocalizedError, CustomStringConvertible {
    public var description: String {
        guard let position else { return "the list of the server's pins is empty [server-pin]" }
        return "string \(position) of the server's pins is not a SHA-256 of a public key [server-pin]"
    }
    public var errorDescription: String? { description }
    public var failureReason: String? { description }
    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        "For each pin, give the SHA-256 of the key's SubjectPublicKeyInfo as base64, with or without 'sha256/' before it, or as 64 hexadecimal digits."
    }
}
