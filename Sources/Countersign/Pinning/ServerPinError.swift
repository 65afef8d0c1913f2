#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
