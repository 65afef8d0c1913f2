#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension FoundationSession {
    /// The decision of an observer on a request that is about to be sent.
    public enum RequestDisposition: Sendable {
        /// Sends this request: the given one or a changed copy. Method, URL and header fields may differ; the caller's body is
        /// used.
        case use(URLRequest)
        /// Does not send the request. The caller receives this error.
        case cancel(any Error)
    }

    /// The decision of an observer on a redirect.
    public enum HTTPRedirectDisposition: Sendable {
        /// Follows the redirect with this request: the given one or a changed copy.
        case follow(URLRequest)
        /// Does not follow the redirect, which is then the final response, without its body.
        case refuse
        /// Ends the request. The caller receives this error.
        case cancel(any Error)
    }

    /// The decision of an observer on a response.
    public enum ResponseDisposition: Sendable {
        /// Continues with the response.
        case allow
        /// Continues with this HTTP response in its place, with the original body.
        case use(URLResponse)
        /// Sends the caller's request again. The session's limit of authentications per exchange applies.
        case resend
        /// Ends the request. The caller receives this error.
        case cancel(any Error)
    }
}
