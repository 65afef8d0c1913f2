#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension FoundationSession {
    /// What an observer wants done with a request that is about to be sent.
    public enum RequestDisposition: Sendable {
        /// Send this request: the one that was shown, or a changed copy. Method, URL and fields may differ; the body stays the caller's.
        case use(URLRequest)
        /// Do not send it; the caller gets this error.
        case cancel(any Error)
    }

    /// What an observer wants done with a redirect.
    public enum HTTPRedirectDisposition: Sendable {
        /// Follow it with this request: the one that was shown, or a changed copy.
        case follow(URLRequest)
        /// Do not follow it: the redirect is the final response, without its body.
        case refuse
        /// End the request; the caller gets this error.
        case cancel(any Error)
    }

    /// What an observer wants done with a response.
    public enum ResponseDisposition: Sendable {
        /// Go on with it.
        case allow
        /// Go on with this one, of HTTP, in its place; the bytes stay.
        case use(URLResponse)
        /// Send the request again, from the caller's own. Bounded by the session's limit of authentications for one exchange.
        case resend
        /// End the request; the caller gets this error.
        case cancel(any Error)
    }
}
