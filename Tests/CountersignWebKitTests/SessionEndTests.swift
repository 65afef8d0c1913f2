import Countersign
import Foundation
import Testing

@testable import CountersignWebKit

@Suite struct `The end of an authentication session` {
    private func failure(code: Int, isCancellation: Bool, reason: String? = nil) -> PresentationFailure {
        let information = reason.map { [NSLocalizedFailureReasonErrorKey: $0] }
        let domain = "com.apple.AuthenticationServices.WebAuthenticationSession"
        return PresentationFailure(
            endOfSession: NSError(domain: domain, code: code, userInfo: information), isCancellation: isCancellation)
    }

    /// The error that a presentation fails to load with; `nil` for another failure.
    private func loadError(_ failure: PresentationFailure) -> WebViewPresenterError? {
        if case .load(let error) = failure { error as? WebViewPresenterError } else { nil }
    }

    @Test func `a user who cancels has dismissed the page`() {
        let end = failure(code: 1, isCancellation: true)
        guard case .dismissed = end else {
            Issue.record("\(end)")
            return
        }
    }

    @Test func `a session without an associated domain is refused, with the code of a cancellation`() {
        let end = failure(code: 1, isCancellation: true, reason: "The application is not associated with c4n4ry.example.")
        #expect(loadError(end) == .sessionRefused)
        #expect(WebViewPresenterError.sessionRefused.description.contains("webcredentials"))
        #expect(!"\(end)".contains("c4n4ry"))
    }

    @Test func `another error is named by its code`() {
        let end = failure(code: 2, isCancellation: false)
        #expect(
            loadError(end)
                == .sessionFailed(domain: "com.apple.AuthenticationServices.WebAuthenticationSession", code: 2))
        #expect(
            loadError(PresentationFailure(endOfSession: nil, isCancellation: false)) == .sessionFailed(domain: "", code: 0))
    }
}
