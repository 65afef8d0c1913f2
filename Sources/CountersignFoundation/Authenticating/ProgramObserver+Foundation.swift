@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// The basis of generated observers, in Foundation's types.
extension ProgramParameters {
    /// Returns whether the head of a response is a challenge of the method, independently of the parameters.
    @_spi(Generated) public static func isChallenge(_ response: URLResponse) -> Bool {
        guard let url = response.url, let head = (response as? HTTPURLResponse)?.httpResponse else { return false }
        return program.matches(head, from: url)
    }

    /// Returns an observer of the method for one session.
    ///
    /// - Parameters:
    ///   - session: The session of the observer. It is not retained.
    ///   - prompter: Asks the application for credentials.
    ///   - store: The persistent store of credentials; `nil` for memory only.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Reviews each credential from the application before pending requests resume.
    @_spi(Generated) public func observer(
        for session: FoundationSession, prompter: any ProgramPrompting, store: (any PlaceCredentialStore)? = nil,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        ProgramObserver(
            parameters: self, prompter: prompter, places: store, isChallenge: session.comparison(isChallenge), review: review)
    }
}
