#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension WebRedirect {
    /// Whether a URL carries the state of this login, once and to the byte; of a login without a state, every answer does.
    package func isAnswered(by url: URL) -> Bool {
        guard let state else { return true }
        guard let answer = try? OAuth2AuthorizationResponse(url) else { return false }
        return (try? answer.require("state", toBe: state)) != nil
    }
}
