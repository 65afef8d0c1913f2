import Countersign
import Foundation
import NIOHTTP1
import TestTurns
import Testing

@testable import CountersignBrowser

/// The request that ends the login, and the responses to all others.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Requests to the loopback port` {
    @Test(arguments: [
        "/", "/favicon.ico", "/callback", "/callback?", "/callback/?code=1&state=s3cret", "/Callback?code=1&state=s3cret",
        "/callback%2F?code=1&state=s3cret", "//callback?code=1&state=s3cret", "/callback/../?code=1&state=s3cret",
        "/x/../callback?code=1&state=s3cret", "/callbac?code=1&state=s3cret", "/callback;x?code=1&state=s3cret",
    ]) func `another address is not found`(_ target: String) async throws {
        try await Login.run { login in
            #expect(try await login.ask(target).status == 404)
            try await login.expectToGoOn()
        }
    }

    @Test(arguments: [
        "http://evil.example/callback?code=1&state=s3cret", "*", "evil.example:443", "/callback?code=1&state=s3cret#x",
        "/callback?code=\u{E9}&state=s3cret", "@evil.example/callback?code=1&state=s3cret",
    ]) func `a target that no browser sends here is refused`(_ target: String) async throws {
        try await Login.run { login in
            #expect([400, 404].contains(try await login.ask(target).status))
            try await login.expectToGoOn()
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
    func `another method is not allowed`(_ method: String) async throws {
        try await Login.run { login in
            let answer = try await login.ask(
                method, Login.answer, more: "Origin: https://evil.example\r\nContent-Length: 5\r\n\r\nhello")
            #expect(answer.status == 405)
            #expect(answer["allow"] == "GET, HEAD")
            #expect(answer["access-control-allow-origin"] == nil)
            try await login.expectToGoOn()
        }
    }

    @Test func `HEAD is answered without a body and ends nothing`() async throws {
        try await Login.run { login in
            let answer = try await login.ask("HEAD", Login.answer)
            #expect(answer.status == 303)
            #expect(answer.body.isEmpty)
            #expect(answer["content-length"] == "\(AnswerPage.received.html.utf8.count)")
            #expect(try await login.ask("HEAD", "/callback?code=1&state=other").status == 400)
            try await login.expectToGoOn()
        }
    }

    @Test(arguments: [
        "evil.example", "localhost:PORT", "127.0.0.1", "127.0.0.1:1", "evil.example:PORT", "[::1]:PORT", "127.0.0.1:PORT.", "",
    ])
    func `a host that is not this one is refused, as DNS rebinding makes it`(_ host: String) async throws {
        try await Login.run { login in
            let host = host.replacing("PORT", with: "\(login.redirectURL.port ?? 0)")
            #expect(try await login.ask("GET", Login.answer, host: host).status == 421)
            try await login.expectToGoOn()
        }
    }

    @Test func `no host, or two, are refused`() async throws {
        try await Login.run { login in
            let connection = try await login.connect()
            await connection.send("GET \(Login.answer) HTTP/1.1\r\n\r\n")
            #expect(try await connection.answer().status == 400)
            #expect(try await login.ask("GET", Login.answer, more: "Host: \(login.authority)\r\n").status == 400)
            try await login.expectToGoOn()
        }
    }

    @Test func `the query comes back byte by byte`() async throws {
        try await Login.run { login in
            let target = "/callback?state=s3cret&code=a%2Fb%20c+d'()*!~;:@,$%C3%BC&code=2&error"
            let answer = try await login.ask(target)
            #expect(answer.status == 303)
            let result = try await login.result()
            #expect(result.finishURL.absoluteString == "http://\(login.authority)\(target)")
        }
    }

    @Test func `a path at the root needs no name`() async throws {
        try await Login.run(redirect: "http://127.0.0.1") { login in
            #expect(try await login.ask("/?code=1&state=s3cret")["location"] == "http://\(login.authority)/")
            #expect(try await login.ask("/").status == 200)
            let result = try await login.resultWithoutReading()
            #expect(result.redirectURL?.absoluteString == "http://\(login.authority)")
        }
    }

    @Test func `an escaped path is the path that it stands for`() async throws {
        try await Login.run(redirect: "http://127.0.0.1/call%20back") { login in
            #expect(try await login.ask("/%63all%20back?code=1&state=s3cret").status == 303)
            _ = try await login.result()
        }
    }

    @Test func `browsers leave the port 80 out, and the redirect URL keeps it`() throws {
        let redirectURL = try #require(URL(string: "http://127.0.0.1:80/callback"))
        let rule = RedirectRule(redirectURL: redirectURL, authority: "127.0.0.1:80", state: nil)
        let head = { HTTPRequestHead(version: .http1_1, method: .GET, uri: "/callback?code=1", headers: ["host": $0]) }
        #expect(rule.verdict(on: head("127.0.0.1")) == .answer(try #require(URL(string: "http://127.0.0.1:80/callback?code=1"))))
        #expect(rule.verdict(on: head("127.0.0.1:80")) == .refused(.misdirected))
    }

    @Test func `RT-30 what is expected and what has come show nothing of it`() throws {
        let redirectURL = try #require(URL(string: "http://127.0.0.1:1/c4n4ry"))
        let rule = RedirectRule(redirectURL: redirectURL, authority: "127.0.0.1:1", state: "c4n4ry")
        for value in [rule, RedirectRule.Verdict.answer(redirectURL)] as [Any] {
            var text = "\(value) \(String(reflecting: value)) \(Array(Mirror(reflecting: value).children))"
            dump(value, to: &text)
            #expect(!text.contains("c4n4ry"), "\(text)")
            #expect(text.contains("redacted"))
        }
    }
}
