public import Countersign

/// An origin that a configuration has credentials sent to, with the keys that name it.
public struct CredentialOrigin: Sendable, Hashable {
    /// The origin.
    public let origin: Origin
    /// The keys of the configuration whose addresses are there, in alphabetical order; `host` is the server itself.
    public let keys: [String]

    /// Makes an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - keys: The keys whose addresses are there.
    public init(_ origin: Origin, keys: some Sequence<String>) {
        self.origin = origin
        self.keys = keys.sorted()
    }
}

extension CredentialOrigin: CustomStringConvertible {
    /// The origin and the keys, such as `https://login.example (oauth2.tokenEndpoint)`.
    public var description: String { "\(origin) (\(keys.joined(separator: ", ")))" }
}
