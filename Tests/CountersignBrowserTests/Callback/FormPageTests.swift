import Countersign
import Crypto
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The page of the loopback port that posts a form, so that its values are in no URL.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Pages that post a form` {
    private static let secret = "c4n4ry"

    /// A login whose page is opened by a form.
    private struct Opened {
        /// The URL that the browser opens.
        let page: URL
        let running: Task<WebPresentationResult, any Error>

        var authority: String { "127.0.0.1:\(page.port ?? 80)" }

        func ask(_ method: String = "GET", _ target: String? = nil, host: String? = nil) async throws -> RawAnswer {
            let connection = try await RawConnection.open(to: page)
            await connection.send("\(method) \(target ?? page.path()) HTTP/1.1\r\nHost: \(host ?? authority)\r\n\r\n")
            return try await connection.answer()
        }

        /// Ends the login like the provider and the browser.
        func end() async throws -> URL {
            #expect(try await ask("GET", "/goodbye?state=s3cret").status == 303)
            _ = try? await ask("GET", "/goodbye")
            return try await running.value.finishURL
        }
    }

    private static func run(_ body: (Opened) async throws -> Void) async throws {
        let server = try #require(URL(string: "https://login.example/logout?tenant=1"))
        let registered = try #require(URL(string: "http://127.0.0.1/goodbye"))
        let redirect = WebRedirect(
            to: registered, state: "s3cret",
            form: { own in
                PageForm(
                    url: server,
                    fields: [
                        .init(name: "redirect", value: own.absoluteString), .init(name: "hint", value: secret),
                    ])
            },
            page: { _ in server })
        let presentation = try await WebPresentation(
            authenticationMethod: "Test", redirect: redirect, jar: CookieJar(), transport: NoTransport())
        let opened = SingleResult<URL>()
        let presenter = LoopbackPresenter(timeout: .seconds(600), limits: .patient) { opened.settle(.success($0)) }
        let running = Task {
            do {
                return try await presenter.present(presentation)
            } catch {
                opened.settle(.failure(error))
                throw error
            }
        }
        defer { running.cancel() }
        try await body(Opened(page: try await opened.value(), running: running))
    }

    @Test func `the browser opens a page of the port, whose URL has nothing of the form`() async throws {
        try await Self.run { opened async throws in
            #expect(opened.page.absoluteString.hasPrefix("http://127.0.0.1:"))
            #expect(opened.page.query() == nil && opened.page.path().count > 32)
            for text in [Self.secret, "s3cret", "login.example"] { #expect(!opened.page.absoluteString.contains(text)) }
            #expect(try await opened.end().query() == "state=s3cret")
        }
    }

    @Test func `the page posts the form to the server, and is sent once`() async throws {
        try await Self.run { opened async throws in
            let answer = try await opened.ask()
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            #expect(answer["content-length"] == "\(answer.body.utf8.count)")
            #expect(answer.body.contains(#"<form method="post" action="https://login.example/logout?tenant=1""#))
            #expect(answer.body.contains(#"name="redirect" value="http://\#(opened.authority)/goodbye">"#))
            #expect(answer.body.contains(#"name="hint" value="c4n4ry">"#))
            let again = try await opened.ask()
            #expect(again.status == 404 && !again.text.contains(Self.secret))
            _ = try await opened.end()
        }
    }

    @Test func `the page goes to no cache, no frame and no other site, and runs its own script alone`() async throws {
        try await Self.run { opened async throws in
            let answer = try await opened.ask()
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["referrer-policy"] == "no-referrer")
            #expect(answer["x-content-type-options"] == "nosniff")
            let policy = try #require(answer["content-security-policy"])
            let hash = Data(SHA256.hash(data: Data(FormPage.script.utf8))).base64EncodedString()
            #expect(
                policy == """
                    default-src 'none'; script-src 'sha256-\(hash)'; base-uri 'none'; form-action https: \
                    http://\(opened.authority); frame-ancestors 'none'
                    """)
            #expect(answer.body.contains("<script>\(FormPage.script)</script>"))
            _ = try await opened.end()
        }
    }

    @Test func `no other request gets the page, or keeps the browser from it`() async throws {
        try await Self.run { opened async throws in
            let path = opened.page.path()
            #expect(try await opened.ask("HEAD").status == 404)
            #expect(try await opened.ask("POST").status == 404)
            #expect(try await opened.ask("GET", path, host: "evil.example").status == 421)
            for other in ["/", String(path.dropLast()), "\(path)/", "\(path)?x", path.uppercased() + "x"] {
                let answer = try await opened.ask("GET", other)
                #expect(answer.status == 404 && !answer.text.contains(Self.secret), "\(other)")
            }
            #expect(try await opened.ask().body.contains(Self.secret))
            _ = try await opened.end()
        }
    }

    @Test func `a value ends neither its attribute nor its field`() throws {
        let url = try #require(URL(string: "https://login.example/?a=1&b=2"))
        let page = FormPage(
            PageForm(url: url, fields: [.init(name: "a\"b", value: "\"><script>&'\r\n")]), authority: "127.0.0.1:1")
        #expect(page.html.contains(#"name="a&quot;b" value="&quot;&gt;&lt;script&gt;&amp;&#39;&#13;&#10;">"#))
        #expect(page.html.contains(#"action="https://login.example/?a=1&amp;b=2""#))
        #expect(!"\(page)".contains("script"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/end", "127.0.0.1:1", "https: http://127.0.0.1:8080 http://127.0.0.1:1"),
        ("https://login.example/end", "127.0.0.1", "https: http://127.0.0.1"),
        // A policy cannot name such an address.
        ("https://login.example/end", "[::1]:1", "https: http:"), ("http://[::1]:8080/end", "127.0.0.1:1", "https: http:"),
    ])
    func `the form may go to the server, and from there to the port`(_ server: String, _ authority: String, _ targets: String)
        throws
    {
        let page = FormPage(PageForm(url: try #require(URL(string: server)), fields: []), authority: authority)
        #expect(page.policy.contains("form-action \(targets); "))
    }
}
