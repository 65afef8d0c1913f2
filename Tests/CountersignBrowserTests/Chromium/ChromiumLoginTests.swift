#if os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The ways from a page to the end of a login, in a real browser.
@Suite(
    .takesTurns, .timeLimit(.minutes(10)), .enabled(if: ChromiumBench.program != nil, ChromiumBench.missing)
) struct `Chromium login` {
    /// The mechanism that leads from the first page to a URL.
    enum Way: String, CaseIterable, Sendable {
        case redirect, script, refresh, link, form

        func page(to target: String) -> TestSite.Answer {
            switch self {
            case .redirect: .redirect(target)
            case .script: .page("<script>location.href = '\(target)'</script>")
            case .refresh: .page("<meta http-equiv=refresh content='0; url=\(target)'>")
            case .link: .page("<a id=a href='\(target)'>on</a><script>document.getElementById('a').click()</script>")
            case .form:
                .page("<form action='\(target)'><input name=code value=c0de></form><script>document.forms[0].submit()</script>")
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `the end is recognised before it is asked for`(way: Way) async throws {
        try await ChromiumBench.run({ $0.path == "/start" ? way.page(to: "/done?code=c0de") : .page("no") }) { bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(result.finishURL.absoluteString == "\(bench.site.origin)/done?code=c0de")
            #expect(result.redirectURL == nil)
            #expect(bench.site.requests == ["GET /start"])
        }
    }

    @Test(arguments: Way.allCases)
    func `RFC 8252 an address with the application's own scheme ends the login`(way: Way) async throws {
        let target = "com.example.app://callback?code=c0de"
        try await ChromiumBench.run({ _ in way.page(to: target) }) { bench in
            let result = try await bench.presenter().present(try bench.presentation(finish: "com.example.app://callback"))
            #expect(result.finishURL.absoluteString == target)
        }
    }

    @Test func `a form that is posted by itself is delivered before the login ends`() async throws {
        try await ChromiumBench.run({ request in
            switch request.path {
            case "/start":
                .page(
                    """
                    <form method=post action=/assertion><input type=hidden name=SAMLResponse value=abc></form>
                    <script>document.forms[0].submit()</script>
                    """)
            case "/assertion":
                .redirect("/done", status: 303, fields: [("Set-Cookie", "session=s3cret; Path=/; HttpOnly; SameSite=Lax")])
            default: .page("no")
            }
        }) { bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(bench.site.requests == ["GET /start", "POST /assertion"])
            let cookie = try #require(result.cookies.cookies.first)
            #expect(cookie.name == "session" && cookie.value == "s3cret" && cookie.domain == "127.0.0.1")
            #expect(cookie.isHostOnly && cookie.isHTTPOnly && !cookie.isSecure && cookie.expires == nil)
            #expect(cookie.sameSite == "Lax" && cookie.path == "/")
        }
    }

    @Test func `a form that is posted to the end itself is delivered too`() async throws {
        try await ChromiumBench.run({ request in
            request.method == "POST"
                ? .page("done", fields: [("Set-Cookie", "posted=1")])
                : .page("<form method=post action=/done></form><script>document.forms[0].submit()</script>")
        }) { bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(bench.site.requests == ["GET /start", "POST /done"])
            #expect(result.cookies.cookies.map(\.name) == ["posted"])
        }
    }

    @Test func `a login that begins at its end asks the server whether there is one to make`() async throws {
        try await ChromiumBench.run({ request in
            if request.cookies.contains("session=1") { return .page("signed in") }
            return request.path == "/done"
                ? .redirect("/login") : .redirect("/done", fields: [("Set-Cookie", "session=1; Path=/")])
        }) { bench in
            let result = try await bench.presenter().present(try bench.presentation("/done"))
            #expect(bench.site.requests == ["GET /done", "GET /login"])
            // The user is signed in already.
            let again = try await bench.presenter().present(
                try bench.presentation("/done", cookies: result.cookies.cookies))
            #expect(again.finishURL.path() == "/done")
            #expect(bench.site.requests == ["GET /done", "GET /login", "GET /done"])
        }
    }

    @Test func `the session's cookies are in the browser, and come back as they were`() async throws {
        let far = Date(timeIntervalSince1970: 4_102_444_800.5)
        let given = [
            Cookie(name: "plain", value: "1", domain: "127.0.0.1", isHostOnly: true),
            Cookie(name: "hidden", value: "2", domain: "127.0.0.1", isHostOnly: true, isHTTPOnly: true, sameSite: "Strict"),
            // Chromium keeps no cookie for this long.
            Cookie(name: "kept", value: "3", domain: "127.0.0.1", isHostOnly: true, expires: far, isSecure: true),
            Cookie(
                name: "other", value: "4", domain: "example.com", isHostOnly: false, path: "/a", isSecure: true, sameSite: "None"),
            // Chromium accepts no cookie of this size.
            Cookie(name: "long", value: String(repeating: "5", count: 5000), domain: "example.com", isHostOnly: true),
            Cookie(name: "gone", value: "6", domain: "127.0.0.1", isHostOnly: true),
        ]
        try await ChromiumBench.run({ request in
            request.path == "/start"
                ? .redirect("/done", fields: [("Set-Cookie", "gone=; Max-Age=0; Path=/"), ("Set-Cookie", "new=7; Path=/")])
                : .page("no")
        }) { bench in
            let result = try await bench.presenter().present(try bench.presentation(cookies: given))
            #expect(Array(result.cookies.cookies.dropLast()) == Array(given.dropLast()))
            #expect(result.cookies.cookies.last?.name == "new")
            let sent = bench.site.allRequests.map { Set($0.cookies.split(separator: "; ")) }
            #expect(sent == [["plain=1", "hidden=2", "kept=3", "gone=6"]])
        }
    }

    @Test func `a window that a page opens is followed, and closing it leaves the login open`() async throws {
        try await ChromiumBench.run({ request in
            switch request.path {
            case "/start": .page("<script>fetch('/shown')</script>")
            case "/closing": .page("<script>window.close()</script>")
            case "/second": .redirect("/done?second")
            default: .page("no")
            }
        }) { bench in
            let presenter = bench.presenter(shown: { page in
                _ = await bench.site.request(of: "/shown")
                try? await page.run("window.open('/closing')")
                _ = await bench.site.request(of: "/closing")
                try? await page.run("window.open('/second')")
            })
            let result = try await presenter.present(try bench.presentation())
            #expect(result.finishURL.query() == "second")
        }
    }

    @Test func `an address that a script changes without a request ends the login too`() async throws {
        try await ChromiumBench.run({ _ in .page("<script>history.pushState({}, '', '/done?code=c0de')</script>") }) { bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(result.finishURL.absoluteString == "\(bench.site.origin)/done?code=c0de")
        }
    }

    @Test func `what a page embeds does not end the login`() async throws {
        try await ChromiumBench.run({ request in
            request.path == "/start"
                ? .page("<iframe src=/done onload=\"location.href = '/done?page'\"></iframe>") : .page("embedded")
        }) { bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(result.finishURL.query() == "page")
            #expect(bench.site.requests == ["GET /start", "GET /done"])
        }
    }

    @Test func `a message of a script does not hold a browser up that nobody sees`() async throws {
        try await ChromiumBench.run({ _ in
            .page("<script>alert('hello'); location.href = confirm('sure?') ? '/no' : '/done'</script>")
        }) {
            bench in
            let result = try await bench.presenter().present(try bench.presentation())
            #expect(result.finishURL.path() == "/done")
        }
    }

    @Test func `a redirect login says which redirect URL it kept`() async throws {
        try await ChromiumBench.run({ .redirect("http://127.0.0.1/callback?\($0.target.drop { $0 != "?" }.dropFirst())&code=c0de") }
        ) {
            bench in
            let callback = try #require(URL(string: "http://127.0.0.1/callback"))
            let server = try #require(URL(string: bench.site.origin + "/authorize"))
            let presentation = try await WebPresentation(
                authenticationMethod: "Test",
                redirect: WebRedirect(to: callback, state: "s3cret") { _ in
                    server.appending(queryItems: [.init(name: "state", value: "s3cret")])
                },
                jar: CookieJar(), transport: NoTransport())
            let result = try await bench.presenter().present(presentation)
            #expect(result.redirectURL == callback)
            #expect(result.finishURL.absoluteString == "http://127.0.0.1/callback?state=s3cret&code=c0de")
        }
    }

    @Test func `a page with a form is requested with a POST, and its URL has nothing of the form`() async throws {
        try await ChromiumBench.run({ request in
            request.path == "/logout" ? .redirect("/bye") : .redirect("http://127.0.0.1/goodbye?state=s3cret")
        }) { bench in
            let goodbye = try #require(URL(string: "http://127.0.0.1/goodbye"))
            let server = try #require(URL(string: bench.site.origin + "/logout?tenant=1"))
            let presentation = try await WebPresentation(
                authenticationMethod: "Test",
                redirect: WebRedirect(
                    to: goodbye, state: "s3cret",
                    form: { _ in PageForm(url: server, fields: [.init(name: "hint", value: "a b&c")]) }, page: { _ in server }),
                jar: CookieJar(), transport: NoTransport())
            let result = try await bench.presenter().present(presentation)
            #expect(result.finishURL.absoluteString == "http://127.0.0.1/goodbye?state=s3cret")
            #expect(bench.site.requests == ["POST /logout?tenant=1", "GET /bye"])
            #expect(bench.site.allRequests.first?.body == "hint=a+b%26c")
        }
    }

    @Test func `another application can move the page on`() async throws {
        try await ChromiumBench.run({ request in
            request.path == "/start" ? .page("waiting") : .redirect("/done?\(request.path)")
        }) { bench in
            let mover = PageMover()
            let code = try #require(URL(string: "\(bench.site.origin)/code"))
            async let moving: Void = {
                _ = await bench.site.request(of: "/start")
                try mover.move(to: code)
            }()
            let result = try await bench.presenter().present(try bench.presentation(mover: mover))
            try await moving
            #expect(result.finishURL.query() == "/code")
            #expect(throws: CallbackRefusal.presenterCannotMove) { try mover.move(to: code) }
        }
    }

    @Test func `two logins at once have profiles of their own`() async throws {
        try await ChromiumBench.run({ request in
            switch request.path {
            case "/start":
                .page("<script>fetch('/shown')</script>", fields: [("Set-Cookie", "who=\(request.target.last ?? "x")")])
            case "/shown": .page("")
            default: .redirect("/done", fields: [("Set-Cookie", "seen=\(request.cookies.replacing("=", with: "-"))")])
            }
        }) { bench in
            let movers = [PageMover(), PageMover()]
            let next = try #require(URL(string: "\(bench.site.origin)/next"))
            async let moving: Void = {
                // Both pages are open.
                _ = await bench.site.request(of: "/shown")
                _ = await bench.site.request(of: "/shown")
                for mover in movers { try mover.move(to: next) }
            }()
            async let one = bench.presenter().present(try bench.presentation("/start?1", mover: movers[0]))
            async let two = bench.presenter().present(try bench.presentation("/start?2", mover: movers[1]))
            let results = try await [one, two]
            try await moving
            #expect(results[0].cookies.cookies.first { $0.name == "seen" }?.value == "who-1")
            #expect(results[1].cookies.cookies.first { $0.name == "seen" }?.value == "who-2")
        }
    }

    @Test func `no process of the browser has a socket of the program`() async throws {
        try await ChromiumBench.run({ _ in .page("<script>fetch('/shown')</script>") }) { bench in
            let mover = PageMover()
            let done = try #require(URL(string: "\(bench.site.origin)/done"))
            // The test process has at least the server's sockets.
            let own = ChromiumBench.sockets(of: "self")
            #expect(!own.isEmpty)
            let presenter = bench.presenter(shown: { _ in
                _ = await bench.site.request(of: "/shown")
                for process in ChromiumBench.processes(naming: bench.folder).keys {
                    #expect(ChromiumBench.sockets(of: "\(process)").isDisjoint(with: own))
                }
                try? mover.move(to: done)
            })
            _ = try await presenter.present(try bench.presentation(mover: mover))
        }
    }

    @Test func `no process of the browser has an address among its arguments`() async throws {
        try await ChromiumBench.run({ _ in .page("waiting") }) { bench in
            let mover = PageMover()
            let done = try #require(URL(string: "\(bench.site.origin)/done?s3cret"))
            let presenter = bench.presenter(shown: { _ in
                _ = await bench.site.request(of: "/start")
                let all = ChromiumBench.processes(naming: bench.folder)
                #expect(all.count > 1)
                #expect(all.values.allSatisfy { !$0.contains("s3cret") && !$0.contains(bench.site.origin) })
                try? mover.move(to: done)
            })
            let result = try await presenter.present(try bench.presentation("/start?state=s3cret", mover: mover))
            #expect(result.finishURL == done)
        }
    }
}

extension ChromiumPage {
    /// Runs a script as if the user had caused it.
    func run(_ script: String) async throws {
        struct Parameters: Encodable {
            let expression: String
            var userGesture = true
        }
        try await connection.call("Runtime.evaluate", Parameters(expression: script), in: session)
    }
}
#endif
