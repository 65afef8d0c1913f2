#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of a presentation.
public struct WebPresentationResult: Sendable {
    /// The URL that ended the flow, with the parameters that the server added, such as a code.
    public let finishURL: URL
    /// The cookies at the end, which the session adopts.
    public let cookies: CookieJar.Snapshot
    /// The redirect URL that was sent to the server; `nil` if it is the presentation's.
    ///
    /// The token request has to repeat it (RFC 6749, section 4.1.3).
    public let redirectURL: URL?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - finishURL: The URL that ended the flow.
    ///   - cookies: The cookies at the end.
    ///   - redirectURL: The URL that the presenter passed to ``WebPresentation/redirected(to:)``, if it called it.
    public init(finishURL: URL, cookies: CookieJar.Snapshot, redirectURL: URL? = nil) {
        self.finishURL = finishURL
        self.cookies = cookies
        self.redirectURL = redirectURL
    }
}

extension WebPresentationResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin of the URL that ended the flow. The rest may contain a code.
    public var description: String {
        "WebPresentationResult(\(Origin(finishURL)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": cookies], displayStyle: .struct) }
}
