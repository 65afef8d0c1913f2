import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The page that the user reads at the end of a login.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Answer pages` {
    @Test func `B1, B27 the page on the wire goes to no cache, no frame and no other site, and loads nothing`() async throws {
        try await Login.run(limits: .patient) { login in
            #expect(try await login.ask(Login.answer).status == 303)
            let answer = try await login.ask("/callback")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["referrer-policy"] == "no-referrer")
            #expect(answer["connection"] == "close")
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["location"] == nil)
            let policy = try #require(answer["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(answer["content-length"] == "\(answer.body.utf8.count)")
            #expect(answer.body == AnswerPage.received.html)
            _ = try await login.result()
        }
    }

    @Test func `B1, B27 a browser is sent from the answer's URL to one that holds nothing, on this port`() async throws {
        try await Login.run { login in
            let answer = try await login.ask("/callback?code=c4n4ry&state=s3cret&next=https://evil.example/")
            #expect(answer.status == 303)
            #expect(answer["location"] == "http://\(login.authority)/callback")
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["referrer-policy"] == "no-referrer")
            #expect(!answer.text.contains("c4n4ry") && !answer.text.contains("s3cret") && !answer.text.contains("evil"))
            // A browser that does not follow the redirect shows this page.
            #expect(answer.body == AnswerPage.received.html)
            _ = try await login.result()
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:1//evil.example/cb?tenant=1", "http://127.0.0.1:1//evil.example/cb"),
        ("http://127.0.0.1:1", "http://127.0.0.1:1/"), ("http://127.0.0.1:1/a%20b%0D%0A", "http://127.0.0.1:1/a%20b%0D%0A"),
    ]) func `where the page is depends on the redirect URL alone`(_ redirect: String, _ page: String) throws {
        let rule = RedirectRule(redirectURL: try #require(URL(string: redirect)), authority: "127.0.0.1:1", state: nil)
        #expect(rule.bareURL == page)
    }

    @Test(arguments: AnswerPage.allCases) func `each page has language, title, heading and landmark`(_ page: AnswerPage) throws {
        let html = page.html
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(html.contains("<meta charset=\"utf-8\">"))
        let title = try #require(html.firstMatch(of: /<title>([^<]+)<\/title>/)).output.1
        let heading = try #require(html.firstMatch(of: /<main>\s*<h1>([^<]+)<\/h1>\s*<p>[^<]+<\/p>\s*<\/main>/)).output.1
        #expect(title == heading)
        for unwanted in ["<script", "<style", "style=", "href", "src="] { #expect(!html.contains(unwanted)) }
    }

    @Test func `the page at the end says that the window can be closed, and nothing of success`() {
        #expect(AnswerPage.received.html.contains("You can close this window"))
        #expect(!AnswerPage.received.html.lowercased().contains("success"))
    }
}
