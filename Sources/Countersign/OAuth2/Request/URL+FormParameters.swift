#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
    /// Returns the URL with parameters in its query, each name once.
    ///
    /// The existing query is kept byte by byte (RFC 6749, section 3.1), except for names that are set. The fragment is removed,
    /// since an authorization endpoint has none.
    ///
    /// - Parameters:
    ///   - parameters: The parameters to set.
    ///   - kept: Names whose existing value in the URL takes precedence: some endpoints are configured with their own `client_id`
    ///     and `redirect_uri`. Never list `state` or `code_challenge`, which belong to a single login.
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
        // The URL without its query stays valid, and every new piece is encoded. If this fails nonetheless, the server gets a
        // request without state, whose response is refused.
        return URL(string: parts[0] + query) ?? self
    }
}
