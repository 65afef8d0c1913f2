#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows a page to a person, or to what stands in for one, until a URL ends the flow.
public protocol WebPresenter: Sendable {
    /// Opens the page and returns once the browser is sent to a URL that the finish rule accepts.
    ///
    /// Cancelling the task closes the page.
    ///
    /// - Throws: ``PresentationFailure``, or `CancellationError`.
    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult
}

/// What a presenter is asked to show.
public struct WebPresentation: Sendable {
    /// The method's name in its spec, for a title or a log line.
    public let authenticationMethod: String
    /// The page to open.
    public let url: URL
    /// Which URL ends the flow.
    public let finish: FinishRule
    /// The session's cookies at the start; a presenter with a cookie store of its own puts them there.
    public let cookies: CookieJar.Snapshot
    /// The same cookies in a jar of their own with the rules of the session's, for presenters that speak HTTP themselves.
    public let jar: CookieJar
    /// The session's way to servers, for presenters that speak HTTP themselves.
    public let transport: any HTTPTransport

    /// Makes a presentation.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - url: The page to open.
    ///   - finish: Which URL ends the flow.
    ///   - jar: The session's cookies at the start; the presentation owns it.
    ///   - transport: The session's way to servers.
    public init(
        authenticationMethod: String, url: URL, finish: FinishRule, jar: CookieJar, transport: any HTTPTransport
    ) {
        self.authenticationMethod = authenticationMethod
        self.url = url
        self.finish = finish
        self.jar = jar
        cookies = jar.snapshot()
        self.transport = transport
    }
}

/// What a presenter brings back.
public struct WebPresentationResult: Sendable {
    /// The URL that ended the flow.
    public let finishURL: URL
    /// The cookie store at the end; the session adopts what is new.
    public let cookies: CookieJar.Snapshot

    /// Makes a result.
    public init(finishURL: URL, cookies: CookieJar.Snapshot) {
        self.finishURL = finishURL
        self.cookies = cookies
    }
}

/// How a presentation ended without reaching its finish.
public enum PresentationFailure: Error, Sendable {
    /// The person closed the page.
    case dismissed
    /// A page could not be loaded, or needs what the presenter cannot do.
    case load(any Error)
    /// The page was loaded anew by the person, and the flow cannot go on from there.
    case reloaded
    /// The app was in the background, where nothing can be shown.
    case background
}
