internal import Countersign
public import CountersignFoundation
public import Foundation

/// Decides on each login before the requests that wait for it go on: `FoundationAuthenticationHandling` in the words of the SDK.
///
/// An observer has one as its `authenticationHandler`.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol AuthenticationHandling: FoundationAuthenticationHandling {
    /// An authentication has succeeded. All requests that need it are held until the completion handler is called; called with an error, they
    /// fail with it, and nothing of the login is kept.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - requestBypassIdentifier: Marks the handler's own requests; see `FoundationAuthenticationHandling`.
    ///   - completionHandler: To be called once: without an error to let the login stand.
    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// An authentication has failed, or was refused by the handler.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - error: What all requests get that waited.
    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: any Error)
}

// What observers call.
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

/// An observer of another landscape, for a handler that knows those of the SDK alone.
private final class OtherObserver: SAPURLSessionObserving {
    private let observer: any FoundationSessionObserving

    private init(_ observer: any FoundationSessionObserving) { self.observer = observer }

    /// The observer itself if the SDK's words are its own.
    static func named(_ observer: any FoundationSessionObserving) -> any SAPURLSessionObserving {
        observer as? any SAPURLSessionObserving ?? OtherObserver(observer)
    }

    func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
        observer.makeSessionObserver(for: session)
    }
}
