#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
    /// The URL with parameters in its query, and no name twice.
    ///
    /// What the query has already stays, byte by byte (RFC 6749, section 3.1), but for names that are set anew. An authorization
    /// endpoint has no fragment, and neither has the result.
    ///
    /// - Parameters:
    ///   - parameters: What to set.
    ///   - kept: Names whose value in the URL, if there is one, outweighs that in `parameters`: some endpoints are configured
    ///     with a `client_id` and a `redirect_uri` of their own. Never name `state` or `code_challenge`: those belong to a single login.
    package func merging(_ parameters: FormParameters, keeping kept: Set<String> = []) -> URL {
        let whole = absoluteString.prefix { $0 != "#" }
        let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var pieces: [String] = []
        var found: Set<String> = []
        for piece in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            if let name = FormEncoding.decode(piece.prefix { $0 != "=" }), parameters[name] != nil {
                guard kept.contains(name), found.insert(name).inserted else { continue }
            }
            pieces.append(String(piece))
        }
        for parameter in parameters.all where !found.contains(parameter.name) {
            let name = FormEncoding.encode(parameter.name, space: .percent)
            pieces.append("\(name)=\(FormEncoding.encode(parameter.value, space: .percent))")
        }
        let query = pieces.isEmpty ? "" : "?" + pieces.joined(separator: "&")
        // What was a URL without its query still is one, and every new piece is encoded. Should it fail nonetheless, the server
        // sees a request without state, whose answer is refused.
        return URL(string: parts[0] + query) ?? self
    }
}
