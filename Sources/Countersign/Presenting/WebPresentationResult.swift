#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a presenter brings back.
public struct WebPresentationResult: Sendable {
    /// The URL that ended the flow, with what the server added to it; a code, for example.
    public let finishURL: URL
    /// The cookie store at the end; the session adopts what is new.
    public let cookies: CookieJar.Snapshot
    /// The redirect URL that the page named to the server; `nil` if the presenter does not say, and then it is the presentation's.
    ///
    /// A token request has to repeat it (RFC 6749, section 4.1.3).
    public let redirectURL: URL?

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - finishURL: The URL that ended the flow.
    ///   - cookies: The cookie store at the end.
    ///   - redirectURL: What the presenter gave to ``WebPresentation/redirected(to:)``, if it did.
    public init(finishURL: URL, cookies: CookieJar.Snapshot, redirectURL: URL? = nil) {
        self.finishURL = finishURL
        self.cookies = cookies
        self.redirectURL = redirectURL
    }
}

extension WebPresentationResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin where the flow ended; no address beyond that, for it may hold a code.
    public var description: String {
        "WebPresentationResult(\(Origin(finishURL)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": cookies], displayStyle: .struct) }
}
