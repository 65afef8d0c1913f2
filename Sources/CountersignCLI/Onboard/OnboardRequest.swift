import Countersign
import Foundation

/// The final request, as a reference that is relative to the server (RFC 3986, section 5).
struct OnboardRequest {
    /// The URL of the request.
    let url: URL

    /// Path and query as they are sent.
    var path: String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = parts.map(\.percentEncodedPath) ?? ""
        return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// Resolves a reference.
    ///
    /// - Throws: ``CommandProblem`` if it leads to another server, which must not receive the credential.
    init(_ reference: String, at server: URL) throws {
        let resolved = reference.isEmpty ? server : URL(string: reference, relativeTo: server)?.absoluteURL
        var parts = resolved.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        parts?.fragment = nil
        guard let parts, let url = parts.url, let origin = Origin(url), origin == Origin(server), parts.user == nil,
            parts.password == nil
        else {
            throw CommandProblem(
                "'--request' is not a URL of the configuration's server; nothing was sent.",
                remedy: "Give a path of the server, such as '--request /orders?top=1'.", exit: CommandExit.usage)
        }
        self.url = url
    }
}
