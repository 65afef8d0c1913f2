import Countersign
import CountersignWebKit
import Testing

@Suite struct `Errors of presenters for web views` {
    @Test func `each says what to do, and is quoted in a method's error`() {
        let errors: [WebViewPresenterError] = [
            .busy, .noWindow, .notShown, .loadFailed(origin: nil, domain: "NSURLErrorDomain", code: -1004), .webContentEnded,
            .redirectElsewhere(authenticationMethod: "Test"), .sessionFailed(domain: "x", code: 2),
            .sessionRefused,
        ]
        for error in errors {
            #expect(!error.description.isEmpty && error.errorDescription == error.description)
            #expect(error.explanation == error.description && error.status == nil)
        }
        #expect(WebViewPresenterError.redirectElsewhere(authenticationMethod: "Test").description.contains("WKWebViewPresenter"))
    }
}
