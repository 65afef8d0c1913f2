/// Keeps values by keys: what the SDK's storages keep their credentials in.
///
/// An implementation may be asked from any thread, as ``OAuth2TokenStorage`` is.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol CodableStoring: AnyObject, Sendable {
    /// The value of a key.
    ///
    /// - Parameters:
    ///   - type: What the value is.
    ///   - key: The key.
    /// - Returns: `nil` if there is none.
    func get<T: Codable>(_ type: T.Type, for key: String) throws -> T?

    /// Keeps a value in place of the one that the key has.
    func put<T: Codable>(_ value: T, for key: String) throws

    /// Forgets the value of a key; there may be none.
    func remove(for key: String) throws

    /// The keys that have a value.
    func keys() throws -> Set<String>
}
