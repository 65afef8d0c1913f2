@_spi(Generated) public import Countersign

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The base class of generated observers, which recognise challenges and answer them on the sessions where they are registered.
///
/// Only generated subclasses and their subclasses can be created. Subclasses may override ``isChallenge(dataTask:response:)``.
open class ChallengeObserver: FoundationSessionObserving {
    /// Returns the runtime's observer for a session.
    @_spi(Generated) public typealias MakesObserver =
        @Sendable (FoundationSession, IsChallenge?, AuthenticationReview) -> any SessionObserver
    /// Classifies responses in place of the method's own recognition.
    @_spi(Generated) public typealias IsChallenge = @Sendable (FoundationSessionTask, URLResponse) -> Bool

    private let handlerReference = AuthenticationHandlerReference()
    private let generated: ChallengeObserver.Type
    private let recognises: @Sendable (URLResponse) -> Bool
    private let make: MakesObserver

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - generated: The generated class. In a subclass of it, ``isChallenge(dataTask:response:)`` is called.
    ///   - recognises: Returns whether the head of a response is a challenge.
    ///   - make: Creates the runtime's observer.
    @_spi(Generated) public init(
        _ generated: ChallengeObserver.Type, recognises: @escaping @Sendable (URLResponse) -> Bool, make: @escaping MakesObserver
    ) {
        self.generated = generated
        self.recognises = recognises
        self.make = make
    }

    /// Creates an observer of a method with prompts.
    ///
    /// - Parameter source: Creates the source of the answers for each session.
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

    /// Creates an observer of a method with prompts whose answers are stored.
    ///
    /// - Parameter source: Creates the source and store of the answers for each session.
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

    /// Returns whether a response is a challenge. A connection that the server refuses because it requires a client certificate is
    /// always one.
    ///
    /// Override this method for servers with their own form of challenges. It is called once per response, before the body has
    /// arrived, so challenges that the spec recognises by the body alone do not count.
    ///
    /// - Parameters:
    ///   - dataTask: The task of the response.
    ///   - response: The head of the response.
    open func isChallenge(dataTask: FoundationSessionTask, response: URLResponse) -> Bool { recognises(response) }

    /// Returns the runtime's observer for a session.
    ///
    /// - Parameter session: The session. It is not retained.
    public func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
        var isChallenge: IsChallenge?
        // Without a subclass, the runtime classifies heads itself and needs no `URLResponse`.
        if seesTasks {
            isChallenge = { [self] task, response in self.isChallenge(dataTask: task, response: response) }
        }
        return make(session, isChallenge, handlerReference.review(of: self, in: session))
    }

    /// Whether a subclass classifies responses, for which it needs the task.
    var seesTasks: Bool { type(of: self) != generated }

    fileprivate var handler: (any FoundationAuthenticationHandling)? {
        get { handlerReference.handler }
        set { handlerReference.handler = newValue }
    }
}

/// The base class of generated observers with an authentication handler.
open class ReviewedObserver: ChallengeObserver {
    /// Called after each login, and for each credential of the application, before pending requests resume. `nil` skips the check.
    ///
    /// Stored credentials were checked before they were stored. If the server refuses a credential in the handler's own requests,
    /// it counts as refused, and the application is asked for another one.
    public var authenticationHandler: (any FoundationAuthenticationHandling)? {
        get { handler }
        set { handler = newValue }
    }
}

/// The base class of generated observers of methods whose login sets cookies.
open class SessionCookieObserver: ReviewedObserver {
    /// Creates an observer with a generated authenticator.
    @_spi(Generated) public init(_ generated: ChallengeObserver.Type, answeringBy authenticator: SessionCookieAuthenticator) {
        let (core, name) = (authenticator.core, "\(generated)")
        super.init(generated, recognises: { core.isChallenge($0) }) { session, isChallenge, review in
            core.observer(named: name, for: session, isChallenge: isChallenge, review: review)
        }
    }

    /// Creates an observer with an application's own authentication.
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

/// The base class of generated observers of methods with tokens.
open class OAuth2TokenObserver: ReviewedObserver {
    /// The store of the tokens.
    public let tokenStore: any OAuth2TokenStore
    /// The origins that may receive the token.
    ///
    /// `nil` for the server of the settings that the authenticator's parameters were created from; without settings, for the
    /// servers of their endpoints; and with an application's own authenticator, for the first server that receives a request.
    public let protectedURLs: ProtectedOrigins?

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - authentication: Obtains the tokens: a generated authenticator, or an application's own.
    ///   - parameters: The shared parameters of the method's grants.
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
                    // A refresh is not cancelled, because its response may be lost then, and the refresh token may be single-use.
                    try await GeneratedCodeVersion3.token(
                        of: { authentication.refresh(token: token, completionHandler: $0) }, cancel: {})
                }, isChallenge: isChallenge, review: review)
        }
    }
}

// Unchecked, because the classes are open: their properties are immutable and Sendable, and subclasses are responsible for
// theirs. The conformance is not available to modules in Swift 5 mode, where the compiler would require subclasses, often older
// than `Sendable`, to restate it.
@available(swift 6)
extension ChallengeObserver: @unchecked Sendable {}
@available(swift 6)
extension ReviewedObserver: @unchecked Sendable {}
@available(swift 6)
extension SessionCookieObserver: @unchecked Sendable {}
@available(swift 6)
extension OAuth2TokenObserver: @unchecked Sendable {}
