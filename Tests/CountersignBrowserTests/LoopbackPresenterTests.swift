import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import CountersignBrowser

/// Logins from the page to the response, with real sockets.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Loopback presenter` {
    @Test func `the page names the port that is listened on, and the answer brings it back`() async throws {
        try await Login.run(limits: .patient) { login in
            #expect(login.redirectURL.host() == "127.0.0.1")
            #expect(try #require(login.redirectURL.port) > 1023)
            #expect(login.redirectURL.path() == "/callback")

            let answer = try await login.ask(Login.answer)
            #expect(answer.status == 303)
            let page = try await login.ask("/callback")
            #expect(page.status == 200)
            let result = try await login.result()
            #expect(result.finishURL.absoluteString == "http://\(login.authority)\(Login.answer)")
            #expect(result.redirectURL == login.redirectURL)
            try await login.expectToBeClosed()
        }
    }

    @Test func `a scripted user logs in at a server, and reads the page at the end`() async throws {
        let transport = AsyncHTTPClientTransport()
        // This browser has a finish URL that is never reached, so it follows the redirect to the page of the loopback presenter.
        let nowhere = try #require(URL(string: "https://nowhere.example/"))
        try await LoginServer.run { server in
            let browser = Mutex<Task<WebPresentationResult, any Error>?>(nil)
            let presenter = LoopbackPresenter(limits: .patient) { page in
                // Like a real browser, it continues by itself after the login has ended.
                let person = Task {
                    try await FormFillingPresenter(user: "alice", password: "wonderland").present(
                        WebPresentation(
                            authenticationMethod: "Test", url: page, finish: FinishRule(nowhere, match: .path),
                            jar: CookieJar(), transport: transport))
                }
                browser.withLock { $0 = person }
            }
            let result = try await presenter.present(try await Login.presentation(server: server, transport: transport))
            let redirectURL = try #require(result.redirectURL)
            #expect(result.finishURL.absoluteString == "\(redirectURL.absoluteString)?code=c0de&state=s3cret")

            let person = try #require(browser.withLock { $0 })
            let end = try await #require(throws: PresentationFailure.self) { try await person.value }
            guard case .load(let page as FormFillingError) = end else {
                Issue.record("\(end)")
                return
            }
            #expect(page.reason == .noForm)
            #expect(page.title == "You can close this window")
            #expect(page.page == redirectURL.absoluteString)
        }
        try await transport.shutdown()
    }

    @Test func `the form-filling presenter itself needs no port, and says which redirect URL it kept`() async throws {
        let transport = AsyncHTTPClientTransport()
        try await LoginServer.run { server in
            let result = try await FormFillingPresenter(user: "alice", password: "wonderland").present(
                try await Login.presentation(server: server, transport: transport))
            #expect(result.finishURL.absoluteString == "http://127.0.0.1/callback?code=c0de&state=s3cret")
            #expect(result.redirectURL?.absoluteString == "http://127.0.0.1/callback")
        }
        try await transport.shutdown()
    }

    @Test func `two logins at a time have ports of their own, and neither takes the other's answer`() async throws {
        try await Login.run(state: "one") { one in
            try await Login.run(state: "two") { two in
                #expect(one.redirectURL.port != two.redirectURL.port)
                #expect(try await one.ask("/callback?code=x&state=two").status == 400)
                #expect(try await two.ask("/callback?code=x&state=one").status == 400)
                #expect(try await two.ask("/callback?code=2&state=two").status == 303)
                #expect(try await one.ask("/callback?code=1&state=one").status == 303)
                let results = (try await one.result(), try await two.result())
                #expect(results.0.finishURL.query() == "code=1&state=one")
                #expect(results.1.finishURL.query() == "code=2&state=two")
            }
        }
    }

    @Test func `RT-35 an answer with another state gets an error page and ends nothing`() async throws {
        try await Login.run { login in
            for query in [
                "code=c0de", "code=c0de&state=", "code=c0de&state", "code=c0de&state=S3CRET", "code=c0de&state=s3cret&state=s3cret",
                "state=s3cret&state=other", "error=access_denied", "code=c0de&State=s3cret", "state=%zz", "state=s3cret%00",
                "x=state=s3cret",
            ] {
                let answer = try await login.ask("/callback?\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(
                    !answer.text.contains("c0de") && !answer.text.lowercased().contains("s3cret"), "the page repeats the request")
            }
            try await login.expectToGoOn()
        }
    }

    @Test func `a state is compared as it was before it was encoded for the URL`() async throws {
        try await Login.run(state: "a b+ü&=") { login in
            #expect(try await login.ask("/callback?state=a+b%2B%C3%BC%26%3D&error=access_denied").status == 303)
            _ = try await login.result()
        }
    }

    @Test func `a login without a state takes the first query`() async throws {
        try await Login.run(state: nil) { login in
            #expect(try await login.ask("/callback").status == 404)
            #expect(try await login.ask("/callback?").status == 404)
            #expect(try await login.ask("/callback?code=c0de").status == 303)
            let result = try await login.result()
            #expect(result.finishURL.query() == "code=c0de")
        }
    }

    @Test func `an opener that fails ends the login, and the port`() async throws {
        struct Broken: Error {}
        let page = Mutex<URL?>(nil)
        let presenter = LoopbackPresenter { url in
            page.withLock { $0 = url }
            throw Broken()
        }
        let error = try await #require(throws: PresentationFailure.self) {
            try await presenter.present(try await Login.presentation())
        }
        guard case .load(is Broken) = error else {
            Issue.record("\(error)")
            return
        }
        let redirectURL = try #require(
            page.withLock { $0 }.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems?.first?.value)
        try await expectRefusal(by: try #require(URL(string: redirectURL)))
    }

    @Test func `an opener that goes on showing the page is not waited for`() async throws {
        let opened = AsyncStream.makeStream(of: URL.self)
        let presenter = LoopbackPresenter(limits: .patient) { url in
            opened.continuation.yield(url)
            try await Task.sleep(for: .seconds(3600))
        }
        async let result = presenter.present(try await Login.presentation(state: nil))
        var pages = opened.stream.makeAsyncIterator()
        let page = try #require(await pages.next())
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
        let redirectURL = try #require(items?.first?.value.flatMap { URL(string: $0) })
        for (target, status) in [("/callback?code=1", 303), ("/callback", 200)] {
            let connection = try await RawConnection.open(to: redirectURL)
            await connection.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(redirectURL.port ?? 0)\r\n\r\n")
            #expect(try await connection.answer().status == status)
        }
        #expect(try await result.finishURL.query() == "code=1")
    }

    @Test func `an opener may say that the user closed the page`() async throws {
        let presenter = LoopbackPresenter { _ in throw PresentationFailure.dismissed }
        let error = try await #require(throws: PresentationFailure.self) {
            try await presenter.present(try await Login.presentation())
        }
        guard case .dismissed = error else {
            Issue.record("\(error)")
            return
        }
    }
}
