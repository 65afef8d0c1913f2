import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// RT-30: a secret is in no error, event or log line.
@Suite(.timeLimit(.minutes(10))) struct SecretsTests {
    private static let canary = "c4n4ry"

    /// Returns all text that can be obtained from a value.
    private func everything(of value: Any) -> String {
        var text = "\(value)\n\(String(describing: value))\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        dump(["key": value], to: &text)
        var (open, depth) = ([Mirror(reflecting: value)], 0)
        while let mirror = open.popLast(), depth < 1_000 {
            depth += 1
            for child in mirror.children {
                text += "\(child.label ?? "") \(child.value) \(String(reflecting: child.value))\n"
                open.append(Mirror(reflecting: child.value))
            }
        }
        if let error = value as? any Error { text += error.localizedDescription }
        if let error = value as? any LocalizedError {
            text += [error.errorDescription, error.failureReason, error.recoverySuggestion, error.helpAnchor].compactMap { $0 }
                .joined()
        }
        return text
    }

    /// Whether a text shows a secret, as text or as bytes. A dump puts each byte on a line of its own.
    private func shows(_ text: String, _ secret: String) -> Bool {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        let bytes = secret.utf8.map { "\($0)" }
        return text.contains(secret) || text.contains(bytes.joined(separator: ", "))
            || lines.contains(bytes.map { "- \($0)" }.joined(separator: "\n"))
    }

    @Test func `what is looked for is found where a value hides nothing`() {
        struct Open { var secret: [UInt8] }
        #expect(shows(everything(of: Open(secret: Array(Self.canary.utf8))), Self.canary))
        #expect(shows(everything(of: ["a": Self.canary]), Self.canary))
    }

    @Test func `RT-30 values that hold secrets show none`() throws {
        let secret = Self.canary
        let request = try SessionRequest.to(
            "https://app.example/\(secret)?code=\(secret)", .post, fields: [("Authorization", secret)],
            body: .bytes(Array(secret.utf8)))
        let url = try #require(request.head.url)
        let session = Session(transport: ScriptedTransport { _ in .text("") })
        let jar = CookieJar()
        jar.set(Cookie(name: "sid", value: secret, domain: "app.example", isHostOnly: true))
        let reply = Reply(401, [("Set-Cookie", "sid=\(secret)"), ("WWW-Authenticate", "Bearer error=\"\(secret)\"")])
        let values: [Any] = [
            request, request.body, SessionResponse(head: reply.head, url: url, body: ResponseBody(bytes: Array(secret.utf8))),
            ExchangeContext(
                session: session, request: request.head, url: url, origin: try #require(Origin(url)), task: nil),
            ChallengeOccurrence(signature: "s", generation: .none, isRepeated: false, response: reply.head),
            WebPresentation(
                authenticationMethod: "Login", url: url, finish: FinishRule(url, match: .path), jar: jar,
                transport: session.transport),
            WebPresentationResult(finishURL: url, cookies: jar.snapshot()),
            ConfigurationValues(["clientSecret": secret], source: "a file"),
            TransportError(.other, detail: "lost", requestMayHaveBeenProcessed: true)
                .completed(requestMethod: .get, origin: try #require(Origin(url))),
        ]
        for value in values { #expect(!shows(everything(of: value), secret), "\(type(of: value))") }
    }

    @Test func `RT-30 sessions, their configurations, observers and authenticators show no secret of theirs`() async throws {
        let secret = Self.canary
        let url = try #require(URL(string: "https://app.example/\(secret)?code=\(secret)"))
        let configuration = SessionConfiguration.test {
            $0.defaultFields = [.authorization: "Bearer \(secret)"]
        }
        let session = Session(configuration: configuration, transport: ScriptedTransport { _ in .text("") })
        session.cookies.set(Cookie(name: "sid", value: secret, domain: "app.example", isHostOnly: true))
        let server = LoginServer()
        var parameters = try server.parameters()
        parameters.login = url
        parameters.value = secret
        let observer = LoginObserver(name: "Login", authenticator: .init(method: .login(), parameters: parameters))
        session.register(observer)
        let keys = StubAttachment.eager.observer(nil, APIKeySource(DefaultAPIKeyCredentialDiscovery()), StubSource())
        var prompt = CredentialPrompt(origin: try #require(Origin(url)), url: url)
        prompt.response = Reply(200, [("Set-Cookie", "sid=\(secret)")]).head
        prompt.refused = [[.secret(secret)]]
        let discovery = DefaultAPIKeyCredentialDiscovery(using: APIKeyAuthenticationConfig(apikeys: [secret]))
        let mover = PageMover()
        let moves = mover.urls()
        try mover.move(to: url)
        var body = ResponseBody(bytes: Array(secret.utf8))
        _ = try await body.takePrefix(upTo: 1, within: .seconds(1), clock: configuration.clock)
        let head = Reply(200, [("Set-Cookie", "sid=\(secret)")]).head
        let values: [Any] = [
            configuration, session, observer, observer.authenticator, keys, discovery, APIKeySource(discovery), mover, body,
            body.makeAsyncIterator(), RequestBody.Content.bytes(Array(secret.utf8)), RequestBody.bytes(Array(secret.utf8)).content,
            Verdict.replace(head), Verdict.refuse(OAuth2ServerError(code: secret, message: secret, uri: nil, state: secret)),
            Attachment.connection(
                ConnectionIdentity(certificateChain: [Array(secret.utf8)], privateKey: SecretBytes(utf8: secret)), .none),
            LandscapeOperation(
                name: "logout", version: "v1", summary: "Logs out.", slots: [.parameter("settings.server")],
                values: [.url(url)], steps: [.http(HTTPCall("POST", .slot(0), answers: []))]),
            prompt,
            SessionEvent(.challenged(signature: "s"), observer: "Login", origin: Origin(url)),
        ]
        for value in values { #expect(!shows(everything(of: value), secret), "\(type(of: value))") }
        _ = moves
    }

    /// The server's second response, by which each kind of error is caused.
    enum Ending: CaseIterable, Sendable {
        case data, challengeForEver, redirectLoop, redirectAway, redirectToFile, redirectToUser, timeout, dismissed,
            finishElsewhere, logout
        case noPresenter, singleUse, insecure
    }

    @Test(arguments: Ending.allCases) func `RT-30 no canary gets out`(_ ending: Ending) async throws {
        let canary = Self.canary
        let log = MemoryLog()
        let events = EventRecorder()
        let server = LoginServer()
        let sessionBox = Mutex<Session?>(nil)
        let transport = ScriptedTransport { sent in
            var reply = server.challenge
            if sent.number > 1 || ending == .redirectLoop || ending == .timeout {
                switch ending {
                case .redirectLoop: reply = .redirect(to: "/\(canary)?code=\(canary)#\(canary)")
                case .redirectAway: reply = sent.number == 2 ? .redirect(to: "http://evil.example/\(canary)") : .text("")
                case .redirectToFile: reply = .redirect(to: "file:///\(canary)")
                case .redirectToUser: reply = .redirect(to: "https://\(canary):\(canary)@app.example/")
                case .timeout: throw TransportError(.timeout, detail: "late", requestMayHaveBeenProcessed: true)
                case .challengeForEver: break
                default: reply = .text(canary)
                }
            }
            reply.head.headerFields.append(HTTPField(name: .setCookie, value: "token=\(canary); Path=/"))
            reply.head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: "Bearer error=\(canary)"))
            return reply
        }
        let presenter = ScriptedPresenter { presentation in
            switch ending {
            case .dismissed: throw PresentationFailure.dismissed
            case .finishElsewhere:
                return WebPresentationResult(
                    finishURL: try #require(URL(string: "https://evil.example/\(canary)?c=\(canary)")),
                    cookies: presentation.cookies)
            case .logout:
                sessionBox.withLock { $0 }?.endSession()
                return server.finished(presentation)
            default: return server.finished(presentation)
            }
        }
        let configuration = SessionConfiguration.test(presenter: ending == .noPresenter ? nil : presenter, events: events) {
            $0.logger = log.logger()
            if let name = HTTPField.Name("X-API-Key") { $0.defaultFields[name] = canary }
        }
        let session = Session(configuration: configuration, transport: transport)
        sessionBox.withLock { $0 = session }
        var parameters = try server.parameters()
        let scheme = ending == .insecure ? "http" : "https"
        parameters.login = try #require(URL(string: "\(scheme)://app.example/login?SAMLRequest=\(canary)"))
        session.register(LoginObserver(name: "LoginObserver", authenticator: .init(method: .login(), parameters: parameters)))
        session.cookies.set(Cookie(name: "sid", value: canary, domain: "app.example", isHostOnly: true))

        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array(canary.utf8))
            continuation.finish()
        }
        let body: RequestBody = ending == .singleUse ? .once(stream) : .text("password=\(canary)")
        var output = ""
        do {
            _ = try await session.send(
                .to(
                    "https://app.example/\(canary)?access_token=\(canary)", .put, fields: [("Authorization", "Bearer \(canary)")],
                    body: body))
            #expect(ending == .data)
        } catch {
            #expect(ending != .data)
            output += everything(of: error)
        }
        sessionBox.withLock { $0 = nil }
        for event in events.events { output += everything(of: event) }
        output += everything(of: configuration) + everything(of: session)
        output += log.lines.joined(separator: "\n")

        // The search has something to find: there are events, and a log line for each.
        #expect(events.events.isEmpty == (ending == .timeout))
        #expect(log.lines.count == events.events.count)
        #expect(!shows(output, canary))
    }

    @Test func `the log says what happened, where, and by whom`() async throws {
        let log = MemoryLog()
        let server = LoginServer()
        let session = Session(
            configuration: .test(presenter: server.presenter()) { $0.logger = log.logger() },
            transport: ScriptedTransport { sent in sent.path == "/a" ? .redirect(to: "/b") : server.answer(sent) })
        session.register(try server.observer())
        _ = try await session.send(.to("https://app.example/a?x=1"))
        session.endSession()
        #expect(
            log.lines == [
                "debug a redirect is followed method=GET origin=https://app.example status=302",
                "debug the server challenged a request method=GET observer=loginObserver origin=https://app.example signature=login-request",
                "info an authentication started interactive=true observer=login",
                "debug a step of an authentication was run observer=login step=present",
                "info an authentication succeeded generation=1 observer=login",
                "debug a request is sent again method=GET observer=loginObserver origin=https://app.example",
                "info the user's session ended ",
            ])
    }
}
