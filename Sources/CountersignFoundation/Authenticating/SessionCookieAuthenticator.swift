@_spi(Generated) public import Countersign

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Answers the challenges of a method whose login sets cookies: a generated authenticator, or an application's own.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol SessionCookieAuthentication: AnyObject, Sendable {
    /// Authenticates and stores the credential in a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - completionHandler: Called once, with `nil` after success.
    func authenticate(session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Authenticates with its own cookies and returns all cookies of the login.
    ///
    /// - Parameters:
    ///   - cookies: The initial cookies.
    ///   - completionHandler: Called once, with all cookies after success, or with an error.
    func authenticate(cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void)

    /// Cancels a running authentication. Its completion handler is called with an error.
    func cancelAuthentication()
}

/// The base class of generated authenticators of methods whose login sets cookies.
///
/// Only generated subclasses can be created: they add the method's parameters and initialisers.
open class SessionCookieAuthenticator: SessionCookieAuthentication, @unchecked Sendable {
    // Unchecked, because the class is open: its properties are immutable and Sendable, and generated subclasses store only such
    // parameters.
    let core: ProgramAuthenticator

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the method.
    ///   - presenter: The presenter of login pages; `nil` uses the session's.
    @_spi(Generated) public init(running parameters: some ProgramParameters, presenter: (any WebPresenter)?) {
        core = ProgramAuthenticator(parameters, presenter: presenter)
    }

    /// Authenticates and stores the credential in a session.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func authenticate(session: FoundationSession) async throws { try await core.authenticate(in: session) }

    /// Authenticates and stores the credential in a session.
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

    /// Authenticates with its own cookies and returns all cookies of the login.
    ///
    /// - Parameters:
    ///   - cookies: The initial cookies.
    ///   - completionHandler: Called once, with all cookies after success, or with an error.
    @preconcurrency public func authenticate(
        cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void
    ) {
        core.authenticate(cookies: cookies, completionHandler: completionHandler)
    }

    /// Cancels a running authentication. Its completion handler is called with an error.
    public func cancelAuthentication() { core.cancel() }
}

/// The base class of generated authenticators whose waiting page another application can continue.
open class CallbackAuthenticator: SessionCookieAuthenticator, @unchecked Sendable {
    // Unchecked like its superclass. It has no stored properties.

    /// The identifier of the application that can continue the waiting page. URLs of other applications are refused.
    ///
    /// The sender that the system reports and the sender that the URL names must both be this application, as far as they are
    /// present.
    public var externalAuthenticatorApplicationID: String {
        get { core.callbackApplication }
        set { core.callbackApplication = newValue }
    }

    /// The complete scheme of the URLs that continue the waiting page; `nil`, the default, for all schemes with the spec's ending.
    ///
    /// Set it if two authenticators may wait at the same time: a URL that matches both is delivered to neither.
    public var callbackScheme: String? {
        get { core.callbackScheme }
        set { core.callbackScheme = newValue }
    }

    /// Returns the URL of the page that follows the waiting one.
    ///
    /// - Parameter queryItems: The query of the URL that the application was opened with.
    /// - Returns: `nil` if a value is missing, empty or repeated.
    public func validationEndpointURL(from queryItems: [URLQueryItem]) -> URL? { core.callbackPage(from: queryItems) }

    /// Continues the waiting page with a URL that the application was opened with.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: The system's information about the URL.
    /// - Returns: Whether the page continues. It does not if no page of this authenticator waits, if the URL comes from another
    ///   application, or if its query is invalid.
    public func application(open url: URL, options: OpenURLOptions = OpenURLOptions()) -> Bool {
        (try? core.open(url, options: options)) != nil
    }
}
