import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns) struct `Pasted answer` {
    private func verdict(
        on text: String, redirect: String = "http://127.0.0.1:4321/callback", state: String? = "s3cret"
    ) throws -> PasteRule.Verdict {
        let url = try #require(URL(string: redirect))
        let page = try #require(URL(string: "https://login.example/authorize?state=s3cret"))
        let way = WebRedirect(to: url, state: state) { _ in page }
        return PasteRule(way, to: url, from: page).verdict(on: text)
    }

    @Test(arguments: [
        "http://127.0.0.1:4321/callback?code=c0de&state=s3cret", "  http://127.0.0.1:4321/callback?code=c0de&state=s3cret \t",
        "\"http://127.0.0.1:4321/callback?code=c0de&state=s3cret\"", "<http://127.0.0.1:4321/callback?code=c0de&state=s3cret>",
        "HTTP://127.0.0.1:4321/callback?state=s3cret&error=access_denied",
        "http://127.0.0.1:4321/callback?code=c0de&state=s3cret#_=_",
    ])
    func `the address that the browser was sent to is the answer`(text: String) throws {
        guard case .answer(let url) = try verdict(on: text) else {
            Issue.record("\(text)")
            return
        }
        #expect(url.absoluteString.hasSuffix(url.fragment == nil ? url.query() ?? "-" : "#_=_"))
    }

    @Test(arguments: [
        "http://127.0.0.1:4321/callback?code=c0de&state=yesterday", "http://127.0.0.1:4321/callback?code=c0de",
        "http://127.0.0.1:4321/callback?state=s3cret&state=s3cret", "http://127.0.0.1:4321/callback?state=s3cret&state=other",
        "http://127.0.0.1:4321/callback?State=s3cret", "http://127.0.0.1:4321/callback?state=S3CRET",
        "http://127.0.0.1:9999/callback?code=c0de&state=s3cret", "http://[::1]:9999/callback?code=c0de&state=yesterday",
    ])
    func `RT-35 the answer to another login is none to this`(text: String) throws {
        #expect(try verdict(on: text) == .otherLogin)
    }

    @Test func `each other text has a message of its own, so that the user reads what to do`() throws {
        for (text, expected) in [
            ("", PasteRule.Verdict.empty), ("   ", .empty), ("''", .empty), ("c0de", .notAnAddress),
            ("not an address", .notAnAddress),
            ("127.0.0.1:4321/callback?code=c0de&state=s3cret", .notAnAddress),
            ("http://user@127.0.0.1:4321/callback?code=c0de&state=s3cret", .notAnAddress),
            ("https://login.example/authorize?state=s3cret", .loginPage),
            ("https://evil.example/callback?code=c0de&state=s3cret", .elsewhere("https://evil.example")),
            ("https://127.0.0.1:4321/callback?code=c0de&state=s3cret", .elsewhere("https://127.0.0.1:4321")),
            ("http://127.0.0.1:4321/other?code=c0de&state=s3cret", .elsewhere("http://127.0.0.1:4321")),
            ("mailto:a@b.example", .elsewhere("mailto:")), ("http://127.0.0.1:4321/callback", .noAnswer),
            ("http://127.0.0.1:4321/callback?", .noAnswer), (String(repeating: "a", count: 1 << 17), .tooLong),
        ] {
            #expect(try verdict(on: text) == expected, "\(text.prefix(80))")
        }
    }

    @Test func `an application's own scheme is compared by its parts too`() throws {
        let redirect = "com.example.app:/callback"
        guard case .answer = try verdict(on: "com.example.app:/callback?code=c0de&state=s3cret", redirect: redirect) else {
            Issue.record("the answer was not taken")
            return
        }
        #expect(try verdict(on: "com.example.app:/callback?code=c0de&state=x", redirect: redirect) == .otherLogin)
        #expect(try verdict(on: "com.example.apple:/callback?state=s3cret", redirect: redirect) == .elsewhere("com.example.apple:"))
    }

    @Test func `a login without a state takes the first answer`() throws {
        guard case .answer = try verdict(on: "http://127.0.0.1:4321/callback?code=c0de", state: nil) else {
            Issue.record("the answer was not taken")
            return
        }
    }

    @Test func `nothing of what is pasted is in a description`() throws {
        let verdict = try verdict(on: "http://127.0.0.1:4321/callback?code=c4n4ry&state=s3cret")
        var text = "\(verdict) \(String(reflecting: verdict))"
        dump(verdict, to: &text)
        #expect(!text.contains("c4n4ry"))
    }
}
