/// Which requests a fault or a gate is for, by their path.
public struct MockPath: Sendable {
    private let accepts: @Sendable (String) -> Bool

    /// Requests whose path, without the query, passes the test.
    public init(_ accepts: @escaping @Sendable (_ path: String) -> Bool) { self.accepts = accepts }

    /// Every request.
    public static let any = MockPath { _ in true }

    /// Requests to this path.
    public static func path(_ path: String) -> MockPath { MockPath { $0 == path } }

    /// Requests to paths that begin so.
    public static func prefix(_ prefix: String) -> MockPath { MockPath { $0.hasPrefix(prefix) } }

    func matches(_ path: String) -> Bool { accepts(path) }
}

extension MockPath: ExpressibleByStringLiteral {
    /// The path itself.
    public init(stringLiteral path: String) { self = .path(path) }
}
