/// How a mock landscape guards resources by HTTP Basic.
public struct MockBasicOptions: Sendable {
    /// The realm of all that ``realms`` does not name.
    public var realm = "Mock"
    /// The realms of parts of the site, by the beginning of their paths; the longest counts.
    public var realms: [String: String] = [:]
    /// The passwords by user name, by realm; a realm that is not here has the users of the landscape.
    public var users: [String: [String: String]] = [:]

    /// The defaults.
    public init() {}

    /// The realm of a path.
    func realm(of path: String) -> String {
        realms.filter { path.hasPrefix($0.key) }.max { $0.key.utf8.count < $1.key.utf8.count }?.value ?? realm
    }
}
