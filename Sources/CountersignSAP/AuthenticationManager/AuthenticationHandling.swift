internal import Countersign
public import CountersignFoundation
public import Foundation

/// Called after each login, before pending requests resume, and able to reject it: `FoundationAuthenticationHandling` under the
/// names of the SDK.
///
/// An observer has one as its `authenticationHandler`.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol AuthenticationHandling: FoundationAuthenticationHandling {
    /// Called when an authentication has succeeded. All requests that need it are held until the completion handler is called. If
    /// it is called with an error, they fail with that error, and the credential is discarded.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - requestBypassIdentifier: The identifier for the handler's own requests; see `FoundationAuthenticationHandling`.
    ///   - completionHandler: Must be called once: without an error to accept the login.
    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Called when an authentication has failed or was rejected by the handler.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - error: The error that pending requests fail with.
    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: any Error)
}

// Observers call these methods, which forward to those of the SDK.
extension AuthenticationHandling {
    public func authenticationObserver(
        _ observer: any FoundationSessionObserving, didAuthenticate session: FoundationSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        authenticationObserver(
            OtherObserver.named(observer), didAuthenticate: session, requestBypassIdentifier: requestBypassIdentifier,
            completionHandler: completionHandler)
    }

    public func authenticationObserver(
        _ observer: any FoundationSessionObserving, didFailToAuthenticate session: FoundationSession, error: any Error
    ) {
        authenticationObserver(OtherObserver.named(observer), didFailToAuthenticate: session, error: error)
    }
}

/// Wraps an observer that does not conform to `SAPURLSessionObserving`, for a handler that requires that protocol.
private final class OtherObserver: SAPURLSessionObserving {
    private let observer: any FoundationSessionObserving

    private init(_ observer: any FoundationSessionObserving) { self.observer = observer }

    /// Returns the observer itself if it conforms to `SAPURLSessionObserving`, otherwise a wrapper.
    static func named(_ observer: any FoundationSessionObserving) -> any SAPURLSessionObserving {
        observer as? any SAPURLSessionObserving ?? OtherObserver(observer)
    }

    func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
        observer.makeSessionObserver(for: session)
    }
}
