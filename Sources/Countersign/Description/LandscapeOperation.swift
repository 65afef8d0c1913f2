#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A call of a landscape outside of any challenge, in one of its versions, filled in for a server: a logout, for instance.
///
/// Generated from a spec; ``Session/perform(_:)`` does it.
public struct LandscapeOperation: Sendable, Hashable {
    /// The name in the spec, such as `logout`.
    public let name: String
    /// The version's name in the spec, such as `v1`.
    public let version: String
    /// One sentence.
    public let summary: String
    /// The method of HTTP.
    public let method: Method
    /// Where the request goes.
    public let url: URL
    /// The statuses that say that it was done.
    public let statuses: [Int]
    /// What ends here once it was asked for.
    public let ends: End

    /// A method of HTTP.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What ends on this side, also if the server could not be reached.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case nothing
        /// Cookies, tokens and running authentications.
        case userSession = "user-session"
    }

    /// Makes an operation.
    public init(
        name: String, version: String, summary: String, method: Method, url: URL, statuses: [Int], ends: End = .nothing
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.method = method
        self.url = url
        self.statuses = statuses
        self.ends = ends
    }
}
