#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension WebRedirect {
    /// Returns whether a URL carries the state of this login, exactly once. Without a state, every URL does.
    package func isAnswered(by url: URL) -> Bool {
        guard let state else { return true }
        guard let answer = try? OAuth2AuthorizationResponse(url) else { return false }
        return (try? answer.require("state", toBe: state)) != nil
    }
}
