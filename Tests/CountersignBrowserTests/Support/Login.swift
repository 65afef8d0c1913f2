import Countersign
import Foundation
import NIOCore
import Testing

@testable import CountersignBrowser

/// A login of a loopback presenter, with the test as browser and server.
struct Login: Sendable {
    /// The page that the browser opens.
    let page: URL
    /// The redirect URL that the page passes to the server.
    let redirectURL: URL
    private let running: Task<WebPresentationResult, any Error>

    /// Starts a login, waits until its page is opened, runs `body`, and ends the login if `body` has not.
    static func run(
        redirect: String = "http://127.0.0.1/callback", state: String? = "s3cret", port: UInt16? = nil,
        timeout: Duration = .seconds(600), limits: ConnectionLimits = ConnectionLimits(), _ body: (Login) async throws -> Void
    ) async throws {
        let opened = SingleResult<URL>()
        let presenter = LoopbackPresenter(port: port, timeout: timeout, limits: limits) { opened.settle(.success($0)) }
        let presentation = try await presentation(redirect: redirect, state: state)
        let running = Task {
            do {
                return try await presenter.present(presentation)
            } catch {
                opened.settle(.failure(error))
                throw error
            }
        }
        defer { running.cancel() }
        let page = try await opened.value()
        let items = try #require(URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems)
        let named = try #require(items.first { $0.name == "redirect_uri" }?.value.flatMap { URL(string: $0) })
        try await body(Login(page: page, redirectURL: named, running: running))
    }

    /// Makes the presentation of a login at a server that receives no request.
    static func presentation(
        redirect: String = "http://127.0.0.1/callback", state: String? = "s3cret",
        server: String = "https://login.example/authorize",
        transport: any HTTPTransport = NoTransport()
    ) async throws -> WebPresentation {
        let redirect = try #require(URL(string: redirect))
        let server = try #require(URL(string: server))
        return try await WebPresentation(
            authenticationMethod: "Test",
            redirect: WebRedirect(to: redirect, state: state) { redirectURL in
                server.appending(queryItems: [
                    URLQueryItem(name: "redirect_uri", value: redirectURL.absoluteString),
                    URLQueryItem(name: "state", value: state),
                ])
            },
            jar: CookieJar(), transport: transport)
    }

    /// Returns the presenter's result, after the final page has been read as a browser reads it.
    func result() async throws -> WebPresentationResult {
        // If nothing listens, the login is over already, and its result is returned.
        _ = try? await ask(redirectURL.path())
        return try await resultWithoutReading()
    }

    /// Returns the presenter's result for a browser that does not request the final page.
    func resultWithoutReading() async throws -> WebPresentationResult { try await running.value }

    func cancel() { running.cancel() }

    /// The value of the `Host` field that a browser sends.
    var authority: String { String(redirectURL.absoluteString.dropFirst("http://".count).prefix { $0 != "/" }) }

    func connect() async throws -> RawConnection { try await .open(to: redirectURL) }

    /// Sends one request on a connection of its own, and returns the response.
    @discardableResult
    func ask(_ target: String) async throws -> RawAnswer { try await ask("GET", target) }

    @discardableResult
    func ask(_ method: String, _ target: String, host: String? = nil, more: String = "") async throws -> RawAnswer {
        let connection = try await connect()
        await connection.send(request(method, target, host: host, more: more))
        return try await connection.answer()
    }

    func request(_ method: String, _ target: String, host: String? = nil, more: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? authority)\r\n\(more)\r\n"
    }

    /// The request target that the login waits for.
    static let answer = "/callback?code=c0de&state=s3cret"

    /// Checks that the login still waits, by ending it.
    ///
    /// - Parameter attempts: The number of connections if they are closed without a response, as a browser makes them.
    func expectToGoOn(attempts: Int = 1) async throws {
        var answer = try await ask(Self.answer)
        for _ in 1..<attempts where answer.status == nil { answer = try await ask(Self.answer) }
        #expect(answer.status == 303)
        let result = try await result()
        #expect(result.finishURL.absoluteString == "http://\(authority)\(Self.answer)")
    }

    /// Checks that no program listens any longer.
    func expectToBeClosed() async throws { try await expectRefusal(by: redirectURL) }
}

extension ConnectionLimits {
    /// Limits under which a browser has longer than a test takes to request the final page.
    static let patient: ConnectionLimits = {
        var limits = ConnectionLimits()
        limits.pageTime = .hours(1)
        return limits
    }()
}

/// Checks that no program listens at a URL.
///
/// If a parallel test starts a process during the close, that process has a copy of the socket until it executes its program. For
/// these few milliseconds the system accepts connections that are never served. A port that stays open for a minute is open.
func expectRefusal(by url: URL) async throws {
    for _ in 0..<6_000 {
        do {
            try await RawConnection.open(to: url).close()
        } catch let error as IOError {
            #expect(error.errnoCode == ECONNREFUSED)
            return
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("a program still listens at \(url)")
}

/// A transport for presenters that need none.
struct NoTransport: HTTPTransport {
    func send(_ request: SessionRequest) async throws -> SessionResponse { throw CancellationError() }
    func shutdown() async throws {}
}
