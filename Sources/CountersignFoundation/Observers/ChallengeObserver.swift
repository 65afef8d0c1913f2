@_spi(Generated) public import Countersign

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// What generated observers have in common: they recognise challenges, and answer them on the sessions where they are registered.
///
/// Only generated classes can be made, and subclasses of those, which may override ``isChallenge(dataTask:response:)``.
open class ChallengeObserver: FoundationSessionObserving {
    /// Makes the runtime's observer for a session.
    @_spi(Generated) public typealias MakesObserver =
        @Sendable (FoundationSession, IsChallenge?, AuthenticationReview) -> any SessionObserver
    /// A comparison of responses in place of the method's own.
    @_spi(Generated) public typealias IsChallenge = @Sendable (FoundationSessionTask, URLResponse) -> Bool

    private let handlerReference = AuthenticationHandlerReference()
    private let generated: ChallengeObserver.Type
    private let recognises: @Sendable (URLResponse) -> Bool
    private let make: MakesObserver

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - generated: The class that is generated; a subclass of it is asked for its own comparison.
    ///   - recognises: Whether the head of a response is a challenge.
    ///   - make: Makes the runtime's observer.
    @_spi(Generated) public init(
        _ generated: ChallengeObserver.Type, recognises: @escaping @Sendable (URLResponse) -> Bool, make: @escaping MakesObserver
    ) {
        self.generated = generated
        self.recognises = recognises
        self.make = make
    }

    /// Makes an observer of a method that asks the application.
    ///
    /// - Parameter source: Makes what is asked, for each session.
    @_spi(Generated) public init<Parameters: ProgramParameters>(
        _ generated: ChallengeObserver.Type, of parameters: Parameters,
        asking source: @escaping @Sendable () -> any ProgramPrompting
    ) {
        self.generated = generated
        recognises = { Parameters.isChallenge($0) }
        let isReviewed = generated is ReviewedObserver.Type
        make = { session, isChallenge, review in
            parameters.observer(
                for: session, prompter: source(), isChallenge: isChallenge, review: isReviewed ? review : nil)
        }
    }

    /// Makes an observer of a method that asks the application, which keeps its answers.
    ///
    /// - Parameter source: Makes what is asked and keeps the answers, for each session.
    @_spi(Generated) public init<Parameters: ProgramParameters>(
        _ generated: ChallengeObserver.Type, of parameters: Parameters,
        storing source: @escaping @Sendable () -> any ProgramPrompting & PlaceCredentialStore
    ) {
        self.generated = generated
        recognises = { Parameters.isChallenge($0) }
        let isReviewed = generated is ReviewedObserver.Type
        make = { session, isChallenge, review in
            let source = source()
            return parameters.observer(
                for: session, prompter: source, store: source, isChallenge: isChallenge, review: isReviewed ? review : nil)
        }
    }

    /// Says whether a response is a challenge, beside a connection that is refused, which always is one.
    ///
    /// Override it where a server marks challenges in a way of its own. It is asked once for each response; the body is not there yet, so
    /// what the spec tells by the body alone is no challenge then.
    ///
    /// - Parameters:
    ///   - dataTask: The task that the response belongs to.
    ///   - response: The head of the response.
    open func isChallenge(dataTask: FoundationSessionTask, response: URLResponse) -> Bool { recognises(response) }

    /// What a session registers for this observer.
    ///
    /// - Parameter session: The session; it is not kept alive.
    public func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
        var isChallenge: IsChallenge?
        // Without a subclass the runtime compares heads itself and needs no `URLResponse`.
        if seesTasks {
            isChallenge = { [self] task, response in self.isChallenge(dataTask: task, response: response) }
        }
        return make(session, isChallenge, handlerReference.review(of: self, in: session))
    }

    /// Whether a subclass compares responses, for which it is shown the task.
    var seesTasks: Bool { type(of: self) != generated }

    fileprivate var handler: (any FoundationAuthenticationHandling)? {
        get { handlerReference.handler }
        set { handlerReference.handler = newValue }
    }
}

/// What generated observers have in common whose logins an application can decide on.
open class ReviewedObserver: ChallengeObserver {
    /// Decides on each login, and on each credential that the application gives, before the requests that wait for it go on; `nil` decides
    /// on none.
    ///
    /// What a store has was decided on before it was stored. A credential that the server refuses to the handler's own requests counts as
    /// refused, and another one is asked for.
    public var authenticationHandler: (any FoundationAuthenticationHandling)? {
        get { handler }
        set { handler = newValue }
    }
}

/// What generated observers have in common whose method's login leaves cookies.
open class SessionCookieObserver: ReviewedObserver {
    /// Makes an observer with a generated authenticator.
    @_spi(Generated) public init(_ generated: ChallengeObserver.Type, answeringBy authenticator: SessionCookieAuthenticator) {
        let (core, name) = (authenticator.core, "\(generated)")
        super.init(generated, recognises: { core.isChallenge($0) }) { session, isChallenge, review in
            core.observer(named: name, for: session, isChallenge: isChallenge, review: review)
        }
    }

    /// Makes an observer with an application's own authentication.
    @_spi(Generated) public init(
        _ generated: ChallengeObserver.Type, answeringBy authentication: any SessionCookieAuthentication,
        recognising parameters: some ProgramParameters
    ) {
        let (core, name) = (ProgramAuthenticator(parameters), "\(generated)")
        super.init(generated, recognises: { core.isChallenge($0) }) { session, isChallenge, review in
            core.observer(
                named: name, for: session,
                authenticate: { session in
                    try await GeneratedCodeVersion3.completion(
                        of: { authentication.authenticate(session: session, completionHandler: $0) },
                        cancel: { authentication.cancelAuthentication() })
                }, isChallenge: isChallenge, review: review)
        }
    }
}

/// What generated observers have in common whose method's credential is a token.
open class OAuth2TokenObserver: ReviewedObserver {
    /// Keeps the tokens.
    public let tokenStore: any OAuth2TokenStore
    /// The origins that may receive the token.
    ///
    /// `nil` for the server of the settings that the authenticator's parameters were made of; if they were not made of settings, for the
    /// servers of their endpoints; and with an application's own authenticator, for the first server that the application asks.
    public let protectedURLs: ProtectedOrigins?

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - authentication: Gets the tokens: a generated authenticator, or an application's own.
    ///   - parameters: What of the method all ways to a token share.
    @_spi(Generated) public init<Parameters: ProgramParameters>(
        _ generated: ChallengeObserver.Type, of parameters: Parameters, answeringBy authentication: any OAuth2TokenAuthentication,
        tokenStore: any OAuth2TokenStore, protectedURLs: ProtectedOrigins?
    ) {
        self.tokenStore = tokenStore
        self.protectedURLs = protectedURLs
        let name = "\(generated)"
        super.init(generated, recognises: { Parameters.isChallenge($0) }) { session, isChallenge, review in
            if let own = authentication as? OAuth2TokenAuthenticator {
                return own.core.observer(
                    named: name, for: session, store: tokenStore, protectedURLs: protectedURLs, isChallenge: isChallenge,
                    review: review)
            }
            return parameters.observer(
                named: name, for: session, store: tokenStore, protectedURLs: protectedURLs,
                authenticate: {
                    try await GeneratedCodeVersion3.token(
                        of: { authentication.authenticate(completionHandler: $0) },
                        cancel: { authentication.cancelAuthentication() })
                },
                refresh: { token in
                    // Not cancelled: the answer may exist only once.
                    try await GeneratedCodeVersion3.token(
                        of: { authentication.refresh(token: token, completionHandler: $0) }, cancel: {})
                }, isChallenge: isChallenge, review: review)
        }
    }
}

// Unchecked: what the classes store never changes and is Sendable; a subclass answers for what it adds. To modules in Swift 5 mode it is not
// available: the compiler would have their subclasses restate it, which are often older than `Sendable`.
@available(swift 6)
extension ChallengeObserver: @unchecked Sendable {}
@available(swift 6)
extension ReviewedObserver: @unchecked Sendable {}
@available(swift 6)
extension SessionCookieObserver: @unchecked Sendable {}
@available(swift 6)
extension OAuth2TokenObserver: @unchecked Sendable {}
