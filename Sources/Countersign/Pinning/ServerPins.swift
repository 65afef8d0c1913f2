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
