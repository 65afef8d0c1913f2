@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// What generated observers are made of, in Foundation's types.
extension ProgramParameters {
    /// Whether the head of a response is a challenge of the method, whatever the parameters are.
    @_spi(Generated) public static func isChallenge(_ response: URLResponse) -> Bool {
        guard let url = response.url, let head = (response as? HTTPURLResponse)?.httpResponse else { return false }
        return program.matches(head, from: url)
    }

    /// An observer of the method on one session.
    ///
    /// - Parameters:
    ///   - session: Where the observer is registered; not kept alive.
    ///   - prompter: Asks the application.
    ///   - store: Where credentials outlive the process; `nil` for nowhere.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once for each response.
    ///   - review: Reviews each credential that the application gives, before the requests that wait for it go on.
    @_spi(Generated) public func observer(
        for session: FoundationSession, prompter: any ProgramPrompting, store: (any PlaceCredentialStore)? = nil,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        ProgramObserver(
            parameters: self, prompter: prompter, places: store, isChallenge: session.comparison(isChallenge), review: review)
    }
}
