import Countersign
import CountersignFoundation
import Foundation
import HTTPTypes
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct FoundationSessionTaskTests {
    private struct Outcome: Sendable {
        let data: Data?
        let response: URLResponse?
        let error: (any Error)?
    }

    private func task(_ session: FoundationSession, to handed: Handed<Outcome>) throws -> FoundationSessionTask {
        let url = try #require(URL(string: "https://server.example/"))
        return session.dataTask(with: url) { handed.hand(Outcome(data: $0, response: $1, error: $2)) }
    }

    @Test func `a proxy that wants a credential is named, and what to do`() async throws {
        let refused = TransportError(
            .proxy(status: 407), detail: "the HTTP proxy 127.0.0.1:8080 wants a credential", requestMayHaveBeenProcessed: false)
        let session = FoundationSession(transport: ScriptedTransport { _, _ in throw refused })
        let handed = Handed<Outcome>()
        try task(session, to: handed).resume()
        let error = try #require(try await handed.next().error as? URLError)
        #expect(error.code == .cannotConnectToHost)
        #expect(error.localizedDescription.contains("the HTTP proxy 127.0.0.1:8080 wants a credential"))
        let reason = try #require(error.userInfo[NSUnderlyingErrorKey] as? TransportError)
        #expect(reason.reason == .proxy(status: 407))
        #expect(reason.recoverySuggestion == "Check the proxy's address and credentials.")
    }

    @Test func `a task waits until it is resumed and ends once`() async throws {
        let transport = ScriptedTransport(text: "hello")
        let session = FoundationSession(transport: transport)
        let handed = Handed<Outcome>()
        let task = try task(session, to: handed)
        task.taskDescription = "orders"
        #expect(task.state == .suspended)
        #expect(transport.sent.isEmpty)
        task.resume()
        task.resume()
        let outcome = try await handed.next()
        #expect(outcome.data == Data("hello".utf8))
        #expect((outcome.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(outcome.error == nil)
        #expect(task.state == .completed)
        #expect(task.taskDescription == "orders")
        #expect(task.taskIdentifier == 1)
        #expect(task.error == nil)
        task.cancel()
        task.resume()
        #expect(transport.sent.count == 1)
        #expect(handed.count == 1)
    }

    @Test func `a task that is cancelled before its start sends nothing`() async throws {
        let transport = ScriptedTransport()
        let handed = Handed<Outcome>()
        let task = try task(FoundationSession(transport: transport), to: handed)
        task.cancel()
        task.cancel()
        task.resume()
        let outcome = try await handed.next()
        #expect((outcome.error as? URLError)?.code == .cancelled)
        #expect(outcome.data == nil)
        #expect(transport.sent.isEmpty)
        #expect(handed.count == 1)
    }

    @Test func `a task that is cancelled on its way ends once`() async throws {
        let asked = Handed<Void>()
        let handed = Handed<Outcome>()
        let task = try task(
            FoundationSession(
                transport: ScriptedTransport { _, _ in
                    asked.hand(())
                    try await never()
                }), to: handed)
        task.resume()
        try await asked.next()
        task.cancel()
        task.cancel()
        let outcome = try await handed.next()
        #expect((outcome.error as? URLError)?.code == .cancelled)
        #expect((task.error as? URLError)?.code == .cancelled)
        #expect(task.state == .completed)
        #expect(handed.count == 1)
    }

    @Test func `a task on its way keeps its session`() async throws {
        let mayAnswer = Handed<Void>()
        let handed = Handed<Outcome>()
        weak var dropped: FoundationSession?
        do {
            let session = FoundationSession(
                transport: ScriptedTransport { _, _ in
                    try await mayAnswer.next()
                    return (HTTPResponse(status: .ok), ResponseBody())
                })
            dropped = session
            try task(session, to: handed).resume()
        }
        #expect(dropped != nil)
        mayAnswer.hand(())
        #expect(try await handed.next().error == nil)
    }

    @Test @MainActor func `completion handlers do not run on the caller's actor`() async throws {
        let handed = Handed<Bool>()
        let url = try #require(URL(string: "https://server.example/"))
        FoundationSession(transport: ScriptedTransport()).dataTask(with: url) { _, _, _ in handed.hand(Thread.isMainThread) }
            .resume()
        #expect(try await handed.next() == false)
    }

    @Test func `a task of a session that has ended fails`() async throws {
        let session = FoundationSession(transport: ScriptedTransport())
        let handed = Handed<Outcome>()
        let task = try task(session, to: handed)
        session.finishTasksAndInvalidate()
        task.resume()
        #expect((try await handed.next().error as? CountersignError)?.code == .sessionInvalidated)
    }

    @Test func `the task shows where the response came from`() async throws {
        let handed = Handed<Outcome>()
        let task = try task(
            FoundationSession(
                transport: ScriptedTransport { number, _ in
                    (
                        number == 1
                            ? HTTPResponse(status: .found, headerFields: [.location: "/there"]) : HTTPResponse(status: .ok),
                        ResponseBody()
                    )
                }), to: handed)
        task.resume()
        _ = try await handed.next()
        #expect(task.originalRequest?.url?.path == "/")
        #expect(task.currentRequest?.url?.path == "/there")
        #expect(task.response?.url?.path == "/there")
    }

    @Test func `RT-30 neither tasks nor sessions nor their configurations show a secret`() throws {
        let secret = "c4n4ry"
        var configuration = FoundationSession.Configuration()
        configuration.session.defaultFields = [.authorization: secret]
        configuration.transport.proxy = .http(host: "proxy.example", port: 1, username: secret, password: secret)
        let cookies = FoundationCookieStorage()
        cookies.jar.set(Cookie(name: "sid", value: secret, domain: "server.example", isHostOnly: true))
        configuration.cookieStorage = cookies
        let session = FoundationSession(configuration: configuration, transport: ScriptedTransport())
        var request = URLRequest(url: try #require(URL(string: "https://server.example/\(secret)?code=\(secret)")))
        request.setValue(secret, forHTTPHeaderField: "Authorization")
        request.httpBody = Data(secret.utf8)
        let task = session.dataTask(with: request) { _, _, _ in }
        for value in [configuration, cookies, session, task] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains(secret), "\(type(of: value))")
        }
        #expect("\(task)".contains("https://server.example"))
    }
}
