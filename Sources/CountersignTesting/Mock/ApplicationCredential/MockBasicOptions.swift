/// The options of HTTP Basic in a mock landscape.
public struct MockBasicOptions: Sendable {
    /// The realm of all paths that are not in ``realms``.
    public var realm = "Mock"
    /// The realms by path prefix. The longest matching prefix is used.
    public var realms: [String: String] = [:]
    /// The passwords by realm and user name. A realm that is not listed has the users of the landscape.
    public var users: [String: [String: String]] = [:]

    /// Creates options with the default values.
    public init() {}

    /// Returns the realm of a path.
    func realm(of path: String) -> String {
        realms.filter { path.hasPrefix($0.key) }.max { $0.key.utf8.count < $1.key.utf8.count }?.value ?? realm
    }
}
