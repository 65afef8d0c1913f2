import Foundation
import Testing

@testable import Countersign

@Suite struct `Web presentation` {
    private func presentation(redirect: String = "http://127.0.0.1/callback") async throws -> WebPresentation {
        let redirect = try #require(URL(string: redirect))
        return try await WebPresentation(
            authenticationMethod: "OAuth2",
            redirect: WebRedirect(to: redirect, state: "c4n4ry") { redirectURL in
                URL(string: "https://login.example/c4n4ry?state=c4n4ry&redirect_uri=\(redirectURL.absoluteString)") ?? redirectURL
            },
            jar: CookieJar(), transport: ScriptedTransport { _ in .text("") })
    }

    @Test func `page and finish follow from the redirect`() async throws {
        let presentation = try await presentation()
        #expect(presentation.url.absoluteString.hasSuffix("redirect_uri=http://127.0.0.1/callback"))
        #expect(presentation.finish == FinishRule(try #require(URL(string: "http://127.0.0.1/callback")), match: .path))
    }

    @Test func `page and finish follow a redirect that is moved, and the rest stays`() async throws {
        let target = try #require(URL(string: "http://127.0.0.1:50123/callback"))
        let moved = try #require(try await presentation().redirected(to: target))
        #expect(
            moved.url.absoluteString == "https://login.example/c4n4ry?state=c4n4ry&redirect_uri=http://127.0.0.1:50123/callback")
        #expect(moved.finish.url == target)
        #expect(moved.redirect?.url == target)
        #expect(moved.redirect?.state == "c4n4ry")
        #expect(moved.authenticationMethod == "OAuth2")
        #expect(moved.finish.accepts(try #require(URL(string: "http://127.0.0.1:50123/callback?code=1"))))
        #expect(!moved.finish.accepts(try #require(URL(string: "http://127.0.0.1/callback?code=1"))))
    }

    @Test func `a redirect that is moved keeps the jar, and the cookies of the start`() async throws {
        let presentation = try await presentation()
        presentation.jar.set(Cookie(name: "sid", value: "1", domain: "login.example", isHostOnly: true))
        let target = try #require(URL(string: "http://127.0.0.1:50123/callback"))
        let moved = try #require(try await presentation.redirected(to: target))
        #expect(moved.jar === presentation.jar)
        #expect(moved.jar.snapshot().cookies.map(\.name) == ["sid"])
        #expect(moved.cookies.cookies.isEmpty)
    }

    @Test func `a login that ends at the server cannot be moved`() async throws {
        let url = try #require(URL(string: "https://app.example/done"))
        let presentation = WebPresentation(
            authenticationMethod: "SAML", url: url, finish: FinishRule(url, match: .path), jar: CookieJar(),
            transport: ScriptedTransport { _ in .text("") })
        #expect(presentation.redirect == nil)
        #expect(try await presentation.redirected(to: url) == nil)
    }

    @Test func `RT-30 no canary gets out`() async throws {
        let presentation = try await presentation(redirect: "http://127.0.0.1/c4n4ry")
        let redirect = try #require(presentation.redirect)
        let finish = try #require(URL(string: "http://127.0.0.1/c4n4ry?code=c4n4ry"))
        let result = WebPresentationResult(finishURL: finish, cookies: CookieJar.Snapshot(cookies: []), redirectURL: finish)
        for value in [presentation, redirect, result] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for child in Mirror(reflecting: value).children { text += "\(child)" }
            #expect(!text.contains("c4n4ry"), "\(text)")
            #expect(text.contains("redacted"))
        }
    }
}
