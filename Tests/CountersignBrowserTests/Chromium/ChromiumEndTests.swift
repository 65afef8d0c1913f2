#if os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// Logins that fail, in a real browser. The bench checks that nothing remains after each.
@Suite(
    .takesTurns, .timeLimit(.minutes(10)), .enabled(if: ChromiumBench.program != nil, ChromiumBench.missing)
) struct `Chromium login that fails` {
    private func origin(_ bench: ChromiumBench) throws -> Origin {
        let url = try #require(URL(string: bench.site.origin))
        return try #require(Origin(url))
    }

    @Test func `a closed window is a dismissed page`() async throws {
        try await ChromiumBench.run { bench in
            let presenter = bench.presenter(shown: { page in
                _ = await bench.site.request(of: "/shown")
                page.connection.send("Page.close", DevToolsNothing(), in: page.session)
            })
            let failure = await #expect(throws: PresentationFailure.self) { try await presenter.present(try bench.presentation()) }
            guard case .dismissed? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test func `a browser that its user quits is a dismissed page`() async throws {
        try await ChromiumBench.run { bench in
            let presenter = bench.presenter(shown: { page in
                _ = await bench.site.request(of: "/shown")
                page.connection.send("Browser.close", DevToolsNothing())
            })
            let failure = await #expect(throws: PresentationFailure.self) { try await presenter.present(try bench.presentation()) }
            guard case .dismissed? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test func `a page that crashes could not be loaded`() async throws {
        try await ChromiumBench.run { bench in
            let presenter = bench.presenter(shown: { page in
                _ = await bench.site.request(of: "/shown")
                page.connection.send("Page.crash", DevToolsNothing(), in: page.session)
            })
            let error = try await bench.expectError(presenter, try bench.presentation())
            #expect(error == .pageCrashed(origin: try origin(bench)))
        }
    }

    @Test func `a browser that crashes is distinguished from one that is closed`() async throws {
        try await ChromiumBench.run { bench in
            let presenter = bench.presenter(shown: { page in
                _ = await bench.site.request(of: "/shown")
                page.connection.send("Browser.crash", DevToolsNothing())
            })
            let error = try await bench.expectError(presenter, try bench.presentation())
            guard case .browserEnded(let status) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(status < 0)
        }
    }

    @Test func `a server that never answers is given up when the time is over`() async throws {
        try await ChromiumBench.run({ _ in .none }) { bench in
            let error = try await bench.expectError(bench.presenter(timeout: .seconds(30)), try bench.presentation())
            #expect(error == .timedOut(.seconds(30), origin: try origin(bench)))
        }
    }

    @Test func `a page that hangs is given up when the time is over`() async throws {
        try await ChromiumBench.run({ _ in .page("<script>while (true) {}</script>") }) { bench in
            let error = try await bench.expectError(bench.presenter(timeout: .seconds(30)), try bench.presentation())
            #expect(error == .timedOut(.seconds(30), origin: try origin(bench)))
        }
    }

    @Test func `a browser that hangs is killed`() async throws {
        try await ChromiumBench.run { bench in
            var limits = ChromiumLimits()
            limits.closingTime = .milliseconds(500)
            let presenter = bench.presenter(
                timeout: .seconds(30), limits: limits,
                shown: { _ in
                    _ = await bench.site.request(of: "/shown")
                    for (number, _) in ChromiumBench.processes(naming: "--user-data-dir=\(bench.folder)") { kill(number, SIGSTOP) }
                })
            let error = try await bench.expectError(presenter, try bench.presentation())
            #expect(error == .timedOut(.seconds(30), origin: try origin(bench)))
        }
    }

    @Test func `a cancelled login closes the browser`() async throws {
        try await ChromiumBench.run { bench in
            let presentation = try bench.presentation()
            let login = Task { try await bench.presenter().present(presentation) }
            _ = await bench.site.request(of: "/shown")
            login.cancel()
            await #expect(throws: CancellationError.self) { try await login.value }
        }
    }

    @Test func `a status of the server is reported, once its page has had time to redirect`() async throws {
        var limits = ChromiumLimits()
        limits.errorPageTime = .zero
        for body in ["no", "", "<form><input name=search></form>"] {
            try await ChromiumBench.run({ _ in .page(body, status: 403) }) { bench in
                let error = try await bench.expectError(bench.presenter(limits: limits), try bench.presentation())
                #expect(error == .answered(status: 403, origin: try origin(bench)))
                #expect(error.status == 403 && error.explanation == nil)
            }
        }
    }

    @Test func `an error page that leads on does not end the login`() async throws {
        var limits = ChromiumLimits()
        limits.errorPageTime = .seconds(600)
        try await ChromiumBench.run({ request in
            request.path == "/start" ? .page("<script>location.href = '/next'</script>", status: 401) : .redirect("/done")
        }) { bench in
            let result = try await bench.presenter(limits: limits).present(try bench.presentation())
            #expect(result.finishURL.path() == "/done")
            #expect(bench.site.requests == ["GET /start", "GET /next"])
        }
    }

    @Test func `an error page that asks for a password does not end the login`() async throws {
        var limits = ChromiumLimits()
        limits.errorPageTime = .zero
        let form = "<form method=post action=/password><input type=password name=p></form>"
        let script = "<script>onload = () => setTimeout(() => document.forms[0].submit(), 500)</script>"
        try await ChromiumBench.run({ $0.path == "/start" ? .page(form + script, status: 401) : .redirect("/done") }) { bench in
            let result = try await bench.presenter(limits: limits).present(try bench.presentation())
            #expect(result.finishURL.path() == "/done")
            #expect(bench.site.requests == ["GET /start", "POST /password"])
        }
    }

    @Test func `a page that cannot be loaded is named as the browser names the error`() async throws {
        try await ChromiumBench.run({ _ in .redirect("http://127.0.0.1:1/?state=s3cret") }) { bench in
            let error = try await bench.expectError(bench.presenter(), try bench.presentation())
            let page = try #require(URL(string: "http://127.0.0.1:1/"))
            #expect(error == .network("net::ERR_UNSAFE_PORT", origin: Origin(page)))
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test func `a server without TLS is no https server`() async throws {
        try await ChromiumBench.run { bench in
            let url = try #require(URL(string: bench.site.origin.replacing("http:", with: "https:")))
            let presentation = WebPresentation(
                authenticationMethod: "Test", url: url, finish: FinishRule(url.appending(path: "done"), match: .path),
                jar: CookieJar(),
                transport: NoTransport())
            let error = try await bench.expectError(bench.presenter(), presentation)
            #expect(error == .network("net::ERR_SSL_PROTOCOL_ERROR", origin: Origin(url)))
        }
    }

    @Test func `a file to download is no page`() async throws {
        try await ChromiumBench.run({ _ in .page("x", fields: [("Content-Disposition", "attachment; filename=x.zip")]) }) { bench in
            let error = try await bench.expectError(bench.presenter(), try bench.presentation())
            #expect(error == .notAPage(origin: try origin(bench)))
        }
    }

    @Test func `a redirect to another application's scheme is refused`() async throws {
        try await ChromiumBench.run({ _ in .redirect("com.example.stranger:/callback?code=s3cret") }) { bench in
            let error = try await bench.expectError(bench.presenter(), try bench.presentation(finish: "com.example.app:/callback"))
            #expect(error == .redirectedToScheme("com.example.stranger", origin: try origin(bench)))
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test func `a message that is too long ends the login`() async throws {
        try await ChromiumBench.run({ _ in .page("<script>history.pushState({}, '', '/' + 'x'.repeat(100000))</script>") }) {
            bench in
            var limits = ChromiumLimits()
            limits.messageBytes = 50_000
            let error = try await bench.expectError(bench.presenter(limits: limits), try bench.presentation())
            #expect(error == .messageTooLong(limit: 50_000))
        }
    }

    @Test func `a program that is no browser is reported with its status`() async throws {
        try await ChromiumBench.run { bench in
            let program = try #require(ProgramSearch(environment: bench.environment).path(of: "false"))
            let presenter = ChromiumPresenter(
                ChromiumConfiguration(executable: program, isHeadless: true), limits: ChromiumLimits(),
                environment: bench.environment)
            let error = try await bench.expectError(presenter, try bench.presentation())
            #expect(error == .endedAtStart(program: program, status: 1))
        }
    }

    @Test func `a program that writes nothing is reported after a while`() async throws {
        try await ChromiumBench.run { bench in
            let program = "\(bench.folder)/silent"
            try Script.write("#!/bin/sh\nsleep 600\n", to: program)
            var limits = ChromiumLimits()
            limits.startTime = .milliseconds(100)
            limits.closingTime = .zero
            let presenter = ChromiumPresenter(
                ChromiumConfiguration(executable: program, isHeadless: true), limits: limits, environment: bench.environment)
            let error = try await bench.expectError(presenter, try bench.presentation())
            #expect(error == .silentAtStart(program: program, after: .milliseconds(100)))
            try FileManager.default.removeItem(atPath: program)
        }
    }
}
#endif
