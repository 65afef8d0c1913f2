#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The values of a credential, for the generated type of a method's credential.
@_spi(Generated) public struct CredentialValues: Sendable, Hashable, ReducedDescription {
    private let values: [Int: ProgramValue]
    /// The expiry date; `nil` if it is unknown.
    public let expirationDate: Date?

    /// - Parameter values: The values by slot.
    init(_ values: [Int: ProgramValue], expirationDate: Date?) {
        self.values = values
        self.expirationDate = expirationDate
    }

    /// Returns a text or a secret; `nil` if it is absent.
    public func text(_ slot: Int) -> String? { values[slot]?.text }

    /// Returns a URL; `nil` if it is absent.
    public func url(_ slot: Int) -> URL? {
        // A stored URL is a text.
        if case .url(let url) = values[slot] { url } else { text(slot).flatMap { URL(string: $0) } }
    }

    /// The expiry date only, since the values may be secret.
    public var visibleParts: KeyValuePairs<String, String> { ["expirationDate": String(describing: expirationDate)] }
}
