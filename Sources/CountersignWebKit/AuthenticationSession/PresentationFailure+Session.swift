internal import Countersign
internal import Foundation

extension PresentationFailure {
    /// Converts the error of an `ASWebAuthenticationSession` that ended without a URL.
    ///
    /// The system uses the code `canceledLogin` also if it refuses the session, because the host of an `https` redirect URL is not
    /// among the application's associated domains. Then the error has a failure reason, which one by the user has not.
    ///
    /// - Parameters:
    ///   - error: The error of the session; `nil` if it has none.
    ///   - isCancellation: Whether the code of the error is `canceledLogin`.
    init(endOfSession error: NSError?, isCancellation: Bool) {
        if !isCancellation {
            self = .load(WebViewPresenterError.sessionFailed(domain: error?.domain ?? "", code: error?.code ?? 0))
        } else if error?.userInfo[NSLocalizedFailureReasonErrorKey] != nil {
            self = .load(WebViewPresenterError.sessionRefused)
        } else {
            self = .dismissed
        }
    }
}
