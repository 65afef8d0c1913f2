/// A key-value store for the SDK's storages.
///
/// Implementations may be called from any thread, like ``OAuth2TokenStorage``.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol CodableStoring: AnyObject, Sendable {
    /// Returns the value of a key.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - key: The key.
    /// - Returns: `nil` if there is none.
    /// - Throws: The store's error, also for a value of another type.
    func get<T: Codable>(_ type: T.Type, for key: String) throws -> T?

    /// Stores a value, replacing an existing one.
    ///
    /// - Throws: The store's error.
    func put<T: Codable>(_ value: T, for key: String) throws

    /// Deletes the value of a key, if there is one.
    ///
    /// - Throws: The store's error.
    func remove(for key: String) throws

    /// Returns the keys with a value.
    ///
    /// - Throws: The store's error.
    func keys() throws -> Set<String>
}
