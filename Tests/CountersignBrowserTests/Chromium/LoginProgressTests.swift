#if os(macOS) || os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The decisions of a login in Chromium, event by event.
@Suite(.takesTurns) struct `Progress of a login in Chromium` {
    private static let done = "https://app.example/done"

    private func progress(finish: String = done, isHeadless: Bool = true, hasForm: Bool = false) throws -> LoginProgress {
        var progress = LoginProgress(
            finish: FinishRule(try #require(URL(string: finish)), match: .path), isHeadless: isHeadless, hasForm: hasForm)
        #expect(progress.steps(after: .opened(session: "1", frame: "F1")) == [.begin(session: "1")])
        return progress
    }

    private func asking(
        _ url: String, _ id: String = "a", method: String = "GET", frame: String = "F1", session: String = "1",
        redirect: Bool = false
    ) -> PageEvent {
        .asking(session: session, .init(id: id, frame: frame, method: method, url: url, isRedirect: redirect))
    }

    private func waiting(_ url: String, _ id: String = "a", method: String = "GET", redirect: Bool = false) -> PageEvent {
        .waiting(
            session: "1", interception: "i-\(id)", .init(id: id, frame: "F1", method: method, url: url, isRedirect: redirect))
    }

    private func answered(_ url: String, _ status: Int, _ id: String = "a", frame: String = "F1") -> PageEvent {
        .answered(session: "1", .init(request: id, frame: frame, url: url, status: status))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a request is let through until one is the end, and none after it`() throws {
        var progress = try progress()
        #expect(progress.steps(after: asking("https://idp.example/")) == [])
        #expect(progress.steps(after: waiting("https://idp.example/")) == [.letThrough(session: "1", interception: "i-a")])
        #expect(progress.steps(after: asking(Self.done + "?code=1", "b")) == [.finish(try url(Self.done + "?code=1"))])
        #expect(progress.steps(after: waiting(Self.done + "?code=1", "b")) == [])
        #expect(progress.steps(after: .closed(session: "1")) == [])
    }

    @Test func `the request that opens the login posts its form, and no other one does`() throws {
        var progress = try progress(hasForm: true)
        #expect(progress.steps(after: asking("https://idp.example/logout")) == [])
        let entry = PageEvent.waiting(
            session: "1", interception: "i",
            .init(
                id: "a", frame: "F1", method: "GET", url: "https://idp.example/logout", isRedirect: false,
                headers: ["Accept": "text/html"]))
        #expect(progress.steps(after: entry) == [.post(session: "1", interception: "i", headers: ["Accept": "text/html"])])
        let redirect = waiting("https://idp.example/bye", redirect: true)
        #expect(progress.steps(after: redirect) == [.letThrough(session: "1", interception: "i-a")])
        #expect(progress.steps(after: waiting("https://idp.example/x", "b")) == [.letThrough(session: "1", interception: "i-b")])
        #expect(progress.steps(after: asking(Self.done + "?state=1", redirect: true)) == [.finish(try url(Self.done + "?state=1"))])
    }

    @Test func `an address is compared by its components`() throws {
        var progress = try progress()
        _ = progress.steps(after: asking("https://idp.example/"))
        for other in [
            "https://app.example.evil/done", "https://app.example/done/x", "http://app.example/done", "https://x@app.example/done",
        ] {
            #expect(progress.steps(after: asking(other, "b")) == [])
        }
        #expect(progress.steps(after: asking("https://APP.example:443/done#part", "b")).count == 1)
    }

    @Test func `a request that opens the login at its end is let through, and its answer decides`() throws {
        var progress = try progress()
        #expect(progress.steps(after: asking(Self.done)) == [])
        #expect(progress.steps(after: waiting(Self.done)) == [.letThrough(session: "1", interception: "i-a")])
        #expect(progress.steps(after: answered(Self.done, 200)) == [.finish(try url(Self.done))])
    }

    @Test func `a redirect of that request back to the end is the end`() throws {
        var progress = try progress()
        #expect(progress.steps(after: asking(Self.done)) == [])
        #expect(progress.steps(after: asking("https://idp.example/", redirect: true)) == [])
        #expect(progress.steps(after: asking(Self.done, redirect: true)) == [.finish(try url(Self.done))])
    }

    @Test func `a form is delivered, a redirect with its content is not`() throws {
        var progress = try progress()
        _ = progress.steps(after: asking("https://idp.example/"))
        var other = progress
        #expect(progress.steps(after: waiting(Self.done, "b", method: "POST")) == [.letThrough(session: "1", interception: "i-b")])
        #expect(progress.steps(after: answered(Self.done, 302, "b")) == [.finish(try url(Self.done))])
        #expect(other.steps(after: waiting(Self.done, "b", method: "POST", redirect: true)) == [.finish(try url(Self.done))])
    }

    @Test func `what frames ask for is let through, and ends nothing`() throws {
        var progress = try progress()
        _ = progress.steps(after: asking("https://idp.example/"))
        #expect(progress.steps(after: asking(Self.done, "b", frame: "F2")) == [])
        #expect(progress.steps(after: answered(Self.done, 200, "b", frame: "F2")) == [])
        #expect(progress.steps(after: .renamed(session: "1", frame: "F2", url: Self.done)) == [])
    }

    @Test func `a scheme of an application's own ends the login, and another one of a redirect fails it`() throws {
        var progress = try progress(finish: "com.example.app:/callback")
        _ = progress.steps(after: asking("https://idp.example/"))
        // A page may try to open an application that is not installed.
        #expect(progress.steps(after: asking("com.example.other:/x", "b")) == [])
        var other = progress
        #expect(
            progress.steps(after: asking("com.example.app:/callback?code=1", redirect: true))
                == [.finish(try url("com.example.app:/callback?code=1"))])
        #expect(
            other.steps(after: asking("com.example.other:/callback?code=1", redirect: true))
                == [.fail(.redirectedToScheme("com.example.other", origin: Origin(try url("https://idp.example/"))))])
    }

    @Test func `the login is dismissed when the last page is closed`() throws {
        var progress = try progress()
        #expect(progress.steps(after: .opened(session: "2", frame: "F2")) == [.join(session: "2")])
        #expect(progress.steps(after: .closed(session: "1")) == [])
        #expect(progress.steps(after: .closed(session: "other")) == [])
        #expect(progress.steps(after: .closed(session: "2")) == [.dismiss])
    }

    @Test func `another window may end the login, and not fail it`() throws {
        var progress = try progress()
        _ = progress.steps(after: .opened(session: "2", frame: "F2"))
        #expect(progress.steps(after: .crashed(session: "2")) == [])
        #expect(progress.steps(after: asking("https://idp.example/", "b", frame: "F2", session: "2")) == [])
        #expect(progress.steps(after: .failed(session: "2", request: "b", name: "net::ERR_FAILED", isCancelled: false)) == [])
        #expect(progress.steps(after: asking(Self.done, "c", frame: "F2", session: "2")) == [.finish(try url(Self.done))])
    }

    @Test func `only the document that is on its way fails the login, and only by an error of its own`() throws {
        var progress = try progress()
        _ = progress.steps(after: asking("https://idp.example/", "a"))
        #expect(progress.steps(after: .failed(session: "1", request: "a", name: "net::ERR_ABORTED", isCancelled: true)) == [])
        _ = progress.steps(after: asking("https://other.example/", "b"))
        #expect(progress.steps(after: .failed(session: "1", request: "a", name: "net::ERR_FAILED", isCancelled: false)) == [])
        #expect(
            progress.steps(after: .failed(session: "1", request: "b", name: "net::ERR_FAILED\n<b>", isCancelled: false))
                == [.fail(.network("net::ERR_FAILEDb", origin: Origin(try url("https://other.example/"))))])
    }

    @Test func `an error page is examined once it is loaded, and then ends the login unless it has gone or asks for a password`()
        throws
    {
        var progress = try progress()
        _ = progress.steps(after: asking("https://idp.example/", "a"))
        #expect(progress.steps(after: .loaded(session: "1")) == [])
        #expect(progress.steps(after: answered("https://idp.example/", 403)) == [])
        #expect(progress.steps(after: .loaded(session: "1")) == [.examine(session: "1", document: "a")])
        var other = progress
        #expect(other.steps(afterExamining: "1", "a", asksForPassword: true) == [])
        _ = other.steps(after: asking("https://idp.example/login", "b"))
        #expect(other.steps(afterExamining: "1", "a", asksForPassword: false) == [])
        #expect(
            progress.steps(afterExamining: "1", "a", asksForPassword: false)
                == [.fail(.answered(status: 403, origin: Origin(try url("https://idp.example/"))))])
        #expect(progress.steps(afterExamining: "1", "a", asksForPassword: false) == [])
    }

    @Test func `messages of scripts are answered where nobody sees them, questions with no`() throws {
        var headless = try progress()
        #expect(headless.steps(after: .asked(session: "1", isQuestion: false)) == [.answerDialog(session: "1", accepts: true)])
        #expect(headless.steps(after: .asked(session: "1", isQuestion: true)) == [.answerDialog(session: "1", accepts: false)])
        var headed = try progress(isHeadless: false)
        #expect(headed.steps(after: .asked(session: "1", isQuestion: false)) == [])
    }

    @Test func `no description shows an address`() throws {
        let event = asking("https://idp.example/?state=s3cret")
        let step = LoginProgress.Step.finish(try url(Self.done + "?code=s3cret"))
        var progress = try progress()
        _ = progress.steps(after: event)
        #expect(!"\(event) \(step) \(progress)".contains("s3cret"))
        var dumped = ""
        dump((event, step, progress), to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }
}
#endif
