#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public keys that a server must have one of, whichever authority issued its certificate.
///
/// A request with pins is written only to a server whose certificate has one of these keys; see ``SessionRequest/pins``. They add to the
/// verification of the certificate and take nothing from it.
///
/// ```swift
/// request.pins = try ServerPins(["sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="])
/// ```
public struct ServerPins: Sendable, Hashable {
    /// The pins, one at least.
    public let pins: Set<PublicKeyPin>

    /// Makes the pins that settings have, each as ``PublicKeyPin/init(_:)`` reads it.
    ///
    /// - Returns: `nil` if there are no texts: nothing is pinned then.
    /// - Throws: ``ServerPinError`` for a text that is no pin. One that cannot be read must not become one that is not checked.
    public init?(_ texts: some Sequence<String>) throws(ServerPinError) {
        var pins: Set<PublicKeyPin> = []
        for (index, text) in texts.enumerated() {
            guard let pin = PublicKeyPin(text) else { throw ServerPinError(position: index + 1) }
            pins.insert(pin)
        }
        self.init(pins)
    }

    /// Makes pins of those that were read or computed.
    ///
    /// - Returns: `nil` if there are none.
    public init?(_ pins: Set<PublicKeyPin>) {
        guard !pins.isEmpty else { return nil }
        self.pins = pins
    }

    /// Whether a server's key is one of those that are pinned.
    public func contains(_ pin: PublicKeyPin) -> Bool { pins.contains(pin) }
}

extension ServerPins: CustomStringConvertible {
    /// The pins as settings have them, in an order that is always the same.
    public var description: String { pins.map(\.description).sorted().joined(separator: ", ") }
}

/// A text was given as the pin of a server's key and is none.
public struct ServerPinError: Error, Sendable, Hashable {
    /// Which of the texts it is, counted from one.
    public let position: Int

    /// Makes an error.
    public init(position: Int) { self.position = position }
}

extension ServerPinError: LocalizedError, CustomStringConvertible {
    public var description: String { "text \(position) of the server's pins is no SHA-256 of a public key [server-pin]" }
    public var errorDescription: String? { description }
    public var failureReason: String? { description }
    /// What the reader can do about it.
    public var recoverySuggestion: String? {
        "Give the SHA-256 of the key's SubjectPublicKeyInfo as base64, with or without 'sha256/' before it, or as 64 hexadecimal digits."
    }
}
