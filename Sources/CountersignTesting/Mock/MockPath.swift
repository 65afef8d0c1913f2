/// A selection of requests by path, for faults and gates.
public struct MockPath: Sendable {
    private let accepts: @Sendable (String) -> Bool

    /// Requests whose path, without the query, satisfies a condition.
    public init(_ accepts: @escaping @Sendable (_ path: String) -> Bool) { self.accepts = accepts }

    /// Every request.
    public static let any = MockPath { _ in true }

    /// Requests to this path.
    public static func path(_ path: String) -> MockPath { MockPath { $0 == path } }

    /// Requests to paths with a prefix.
    public static func prefix(_ prefix: String) -> MockPath { MockPath { $0.hasPrefix(prefix) } }

    func matches(_ path: String) -> Bool { accepts(path) }
}

extension MockPath: ExpressibleByStringLiteral {
    /// The path itself.
    public init(stringLiteral path: String) { self = .path(path) }
}
