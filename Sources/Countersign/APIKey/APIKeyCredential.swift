/// The API keys of an application, in the order in which they are tried.
///
/// A key that the server refuses is followed by the next; without a next one the method's error says so. No description shows a key;
/// encoding does, since a store needs them.
public struct APIKeyCredential: Sendable, Hashable, Codable {
    private let apikeys: [String]

    /// Makes a credential.
    ///
    /// - Parameter apikeys: The keys; none sends requests without one.
    public init(apikeys: [String]) { self.apikeys = apikeys }

    /// The keys.
    public func keys() -> [String] { apikeys }
}

extension APIKeyCredential: ReducedDescription {
    /// How many keys there are.
    public var visibleParts: KeyValuePairs<String, String> { ["keys": "\(apikeys.count)"] }
}
