public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension CredentialMethod {
    /// Whether a response is a challenge of this method.
    public func isChallenge(_ response: URLResponse) -> Bool {
        guard let url = response.url, let head = (response as? HTTPURLResponse)?.httpResponse else { return false }
        return matches(head, url: url)
    }

    /// An observer that attaches an application's credentials on one session, and has refused ones replaced.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: Where the observer is registered; not kept alive.
    ///   - source: Where the credentials come from and are kept.
    ///   - protectedURLs: The origins that may receive the credential; `nil` for the first that the application asks.
    ///   - answersChallenges: `false` leaves challenges to other observers.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Has a say on each credential that the application gives, before the requests that wait for it go on.
    public func observer(
        named name: String, for session: FoundationSession, source: some CredentialSource,
        protectedURLs: ProtectedOrigins? = nil, answersChallenges: Bool = true,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        CredentialObserver(
            name: name, method: self, source: source, origins: protectedURLs, answersChallenges: answersChallenges,
            isChallenge: session.comparison(isChallenge), review: review)
    }
}
