#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Recognises the challenges of a method and answers them with its authenticator: what a generated observer is made of.
public final class MethodObserver<Parameters: Sendable, Failure: AuthenticationError>: SessionObserver {
    public let name: String
    /// Answers the challenges.
    public let authenticator: MethodAuthenticator<Parameters, Failure>
    private let ownAuthentication: (@Sendable (Session) async throws -> Void)?
    private let ownComparison: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    private let review: AuthenticationReview?

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - authenticator: Answers the challenges.
    ///   - authenticate: Replaces the authenticator's flow by the application's own; run under the same flight.
    ///   - isChallenge: Replaces the native comparison of heads by the application's own; asked once per response.
    ///   - review: Has a say on each login before the requests that wait for it go on.
    public init(
        name: String, authenticator: MethodAuthenticator<Parameters, Failure>,
        authenticate: (@Sendable (Session) async throws -> Void)? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) {
        self.name = name
        self.authenticator = authenticator
        ownAuthentication = authenticate
        ownComparison = isChallenge
        self.review = review
    }

    /// Whether the head of a response that came from `url` is a challenge by the spec's signatures, whatever the application's own
    /// comparison says.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { authenticator.matches(response, url: url) }

    // The credential is cookies, which the session adds by itself; what is attached here is the knowledge of which.
    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        .ready(authenticator.coordinator(in: exchange.session).generation)
    }

    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard !isInsideAuthentication(in: exchange.session) else { return .pass }
        guard let ownComparison else {
            return authenticator.signature(matching: response, in: exchange).map { .challenge(signature: $0) } ?? .pass
        }
        return ownComparison(response, exchange) ? .challenge(signature: "application") : .pass
    }

    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        ownComparison == nil && authenticator.signatures.needBody(of: response, from: exchange.url)
            && !isInsideAuthentication(in: exchange.session)
    }

    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        try await authenticator.answer(challenge, to: exchange, own: ownAuthentication, review: review)
    }

    public func didRegister(on session: Session) {
        authenticator.noteRegistration(on: session, review: review)
    }

    public func didEndSession(_ session: Session) {
        // A logout ends the session's flights by itself; here it only matters whether the observer still is there.
        if !session.isRegistered(self) { authenticator.forgetRegistration(on: session) }
    }

    /// Whether the present task is a part of an authentication of this observer, whose responses are no challenges.
    private func isInsideAuthentication(in session: Session) -> Bool {
        FlightScope.current != nil && FlightScope.isInside(authenticator.coordinator(in: session))
    }
}
