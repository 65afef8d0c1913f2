import Foundation

/// An address of one of the mock's servers.
struct MockAddress: Sendable {
    /// The whole address.
    let url: String
    /// As it stands in a request, without the query.
    let path: String
    /// The names in the query; `nil` if it cannot be decoded.
    let queryNames: Set<String>?

    /// The address of a path, query included, at a server.
    init(_ pathAndQuery: String, at server: URL) {
        let parts = pathAndQuery.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            url: server.absoluteString + pathAndQuery, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "")
    }

    /// An address of a description; its path counts only if it is at `server`.
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
