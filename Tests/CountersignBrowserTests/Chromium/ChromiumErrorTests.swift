#if os(macOS) || os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns) struct `Chromium errors` {
    @Test func `each says what happened, and a status is reported by itself`() throws {
        let url = try #require(URL(string: "https://idp.example/path?state=s3cret"))
        let origin = try #require(Origin(url))
        let errors: [ChromiumError] = [
            .notFound(tried: ["chromium"]), .noDisplay, .cannotMakeProfile(folder: "/tmp", reason: "No space left on device"),
            .cannotStart(program: "/usr/bin/chromium", reason: "Permission denied"),
            .endedAtStart(program: "/usr/bin/chromium", status: 1),
            .silentAtStart(program: "/usr/bin/chromium", after: .seconds(60)),
            .commandRefused("Fetch.enable"), .messageTooLong(limit: 5), .network("net::ERR_CERT_AUTHORITY_INVALID", origin: origin),
            .notAPage(origin: origin), .redirectedToScheme("com.example", origin: origin), .pageCrashed(origin: nil),
            .browserEnded(status: -9), .timedOut(.seconds(300), origin: origin),
        ]
        for error in errors {
            #expect(!error.description.isEmpty && !error.description.contains("\n"))
            #expect(error.errorDescription == error.description)
            #expect(error.explanation == error.description)
            #expect(error.status == nil)
        }
        let answered = ChromiumError.answered(status: 404, origin: origin)
        #expect(answered.status == 404 && answered.origin == origin && answered.explanation == nil)
        #expect(answered.description == "https://idp.example answered with status 404")
        #expect("\(ChromiumError.browserEnded(status: -9))" == "the browser was ended by signal 9 before the login had ended")
        #expect(
            "\(ChromiumError.timedOut(.seconds(300), origin: origin))"
                == "the login had not ended within 300.0 seconds; the browser was last at https://idp.example")
        #expect("\(ChromiumError.network("net::ERR_CERT_DATE_INVALID", origin: nil))".contains("certificate is not trusted"))
    }
}
#endif
