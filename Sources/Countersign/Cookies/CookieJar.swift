#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The cookies of a session: RFC 6265 storage and retrieval. CONTRACT: to be implemented by its owner.
public final class CookieJar: Sendable {
    /// Makes an empty jar.
    ///
    /// - Parameters:
    ///   - isPublicSuffix: Whether a domain is one that registrars give names under; cookies for such a domain are refused.
    ///   - now: The clock that expiry is measured with.
    public init(isPublicSuffix: @escaping @Sendable (String) -> Bool = { _ in false }, now: @escaping @Sendable () -> Date = { Date() }) {
        fatalError("contract")
    }

    /// The `Cookie` field for a request to `url`, or `nil` if no cookie goes there.
    public func header(for url: URL) -> String? { fatalError("contract") }

    /// Takes the values of `Set-Cookie` fields that came from `url`, each field its own value.
    public func store(_ setCookieValues: [String], from url: URL) { fatalError("contract") }

    /// Puts a cookie there as it is.
    public func set(_ cookie: Cookie) { fatalError("contract") }

    /// Takes a cookie away: the one of the same name, domain and path.
    public func remove(_ cookie: Cookie) { fatalError("contract") }

    /// All cookies that have not expired.
    public var all: [Cookie] { fatalError("contract") }

    /// The cookies that go to `url`, in sending order.
    public func cookies(for url: URL) -> [Cookie] { fatalError("contract") }

    /// Empties the jar.
    public func removeAll() { fatalError("contract") }

    /// The cookies now, as a value.
    public func snapshot() -> Snapshot { fatalError("contract") }

    /// Takes over what changed between `old` and `new`: added and changed cookies are set, removed ones removed. What others did to the
    /// jar meanwhile stays.
    public func adopt(_ new: Snapshot, since old: Snapshot) { fatalError("contract") }

    /// A new jar with the cookies of a snapshot, same clock and rules.
    public func fork() -> CookieJar { fatalError("contract") }

    /// The cookies of a moment.
    public struct Snapshot: Sendable {
        public let cookies: [Cookie]
        public init(cookies: [Cookie]) { self.cookies = cookies }
    }
}
