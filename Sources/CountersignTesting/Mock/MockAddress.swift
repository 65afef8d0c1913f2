import Foundation

/// A URL of one of the mock's servers, for comparison with requests.
struct MockAddress: Sendable {
    /// The complete URL.
    let url: String
    /// The path as in a request, without the query.
    let path: String
    /// The names of the query items; `nil` if the query cannot be decoded.
    let queryNames: Set<String>?

    /// Creates the URL of a path with query at a server.
    init(_ pathAndQuery: String, at server: URL) {
        let parts = pathAndQuery.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            url: server.absoluteString + pathAndQuery, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "")
    }

    /// Creates an address from a described URL. Its path is empty unless the URL is at `server`.
    init(_ url: URL, at server: URL) {
        let isHere = url.scheme == server.scheme && url.host() == server.host() && url.port == server.port
        self.init(
            url: url.absoluteString, path: isHere ? url.path(percentEncoded: true) : "",
            query: url.query(percentEncoded: true) ?? "")
    }

    private init(url: String, path: String, query: String) {
        self.url = url
        self.path = path
        self.queryNames = FormFields(query.utf8).map { Set($0.pairs.map(\.name)) }
    }
}
