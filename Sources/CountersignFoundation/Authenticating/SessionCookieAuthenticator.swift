@_spi(Generated) public import Countersign

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// What answers the challenges of a method whose login leaves cookies: a generated authenticator, or an application's own.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol SessionCookieAuthentication: AnyObject, Sendable {
    /// Authenticates and leaves the credential in a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - completionHandler: Called once, with `nil` after success.
    func authenticate(session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Authenticates with cookies of its own and hands over those of the new session.
    ///
    /// - Parameters:
    ///   - cookies: The cookies to begin with.
    ///   - completionHandler: Called once, with all cookies after success, or with an error.
    func authenticate(cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void)

    /// Ends a running authentication; its completion handler is called with an error.
    func cancelAuthentication()
}

/// What generated authenticators of methods whose login leaves cookies have in common.
///
/// Only generated classes can be made: they add the method's parameters and the initialisers that take them.
open class SessionCookieAuthenticator: SessionCookieAuthentication, @unchecked Sendable {
    // Unchecked: what the class stores never changes and is Sendable, and generated subclasses store parameters that do not either.
    let core: ProgramAuthenticator

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: What the method needs to know.
    ///   - presenter: Shows its pages; `nil` takes the session's own.
    @_spi(Generated) public init(running parameters: some ProgramParameters, presenter: (any WebPresenter)?) {
        core = ProgramAuthenticator(parameters, presenter: presenter)
    }

    /// Authenticates and leaves the credential in a session.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func authenticate(session: FoundationSession) async throws { try await core.authenticate(in: session) }

    /// Authenticates and leaves the credential in a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - completionHandler: Called once, with `nil` after success.
    @preconcurrency open func authenticate(
        session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.authenticate(in: session, completionHandler: completionHandler)
    }

    /// Authenticates in the session on which an observer with this authenticator is registered.
    ///
    /// - Parameter completionHandler: Called once, with `nil` after success.
    @preconcurrency public func authenticate(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        core.authenticate(completionHandler: completionHandler)
    }

    /// Authenticates with cookies of its own and hands over those of the new session.
    ///
    /// - Parameters:
    ///   - cookies: The cookies to begin with.
    ///   - completionHandler: Called once, with all cookies after success, or with an error.
    @preconcurrency public func authenticate(
        cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void
    ) {
        core.authenticate(cookies: cookies, completionHandler: completionHandler)
    }

    /// Ends a running authentication; its completion handler is called with an error.
    public func cancelAuthentication() { core.cancel() }
}

/// What generated authenticators have in common whose waiting page another application can move on.
open class CallbackAuthenticator: SessionCookieAuthenticator, @unchecked Sendable {
    // Unchecked as the class above it: it stores nothing of its own.

    /// The identifier of the application that can move the waiting page on; another application's URLs are refused.
    ///
    /// What the system says of a URL's origin and what the URL says itself both have to be this, as far as either says anything.
    public var externalAuthenticatorApplicationID: String {
        get { core.callbackApplication }
        set { core.callbackApplication = newValue }
    }

    /// The whole scheme of the URLs that move the waiting page on; `nil`, the default, for all with the end that the spec has.
    ///
    /// Set it where two authenticators may wait at the same time: a URL that both would take goes to neither.
    public var callbackScheme: String? {
        get { core.callbackScheme }
        set { core.callbackScheme = newValue }
    }

    /// The page that the waiting one is moved on to.
    ///
    /// - Parameter queryItems: The query of the URL that the application was opened with.
    /// - Returns: `nil` if a value is missing, empty or there twice.
    public func validationEndpointURL(from queryItems: [URLQueryItem]) -> URL? { core.callbackPage(from: queryItems) }

    /// Moves the waiting page on by a URL that the application was opened with.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: What the system says of it.
    /// - Returns: Whether the page goes on. It does not if no page of this authenticator waits, if the URL comes from another application,
    ///   or if its query is not what it has to be.
    public func application(open url: URL, options: OpenURLOptions = OpenURLOptions()) -> Bool {
        (try? core.open(url, options: options)) != nil
    }
}
