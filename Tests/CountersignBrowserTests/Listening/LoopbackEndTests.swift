import Countersign
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestTurns
import Testing

@testable import CountersignBrowser

/// The port is open for one login only.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `End of a loopback login` {
    @Test func `cancelling closes the port and its connections`() async throws {
        try await Login.run { login in
            let silent = try await login.connect()
            // The response shows that the server has accepted the silent connection, which came before.
            #expect(try await login.ask("/").status == 404)
            login.cancel()
            await #expect(throws: CancellationError.self) { try await login.result() }
            try await login.expectToBeClosed()
            #expect(try await silent.answer().text.isEmpty)
        }
    }

    @Test func `a task that is cancelled before it starts opens no page`() async throws {
        let presenter = LoopbackPresenter { _ in Issue.record("a page was opened") }
        let presentation = try await Login.presentation()
        let gate = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate.stream {}
            return try await presenter.present(presentation)
        }
        task.cancel()
        gate.continuation.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `too late closes the port`() async throws {
        let page = Mutex<URL?>(nil)
        var limit = Duration.milliseconds(500)
        // On a busy machine, the time may be over before the page is opened.
        while page.withLock(\.self) == nil {
            let presenter = LoopbackPresenter(timeout: limit) { url in page.withLock { $0 = url } }
            let error = try await #require(throws: PresentationFailure.self) {
                try await presenter.present(try await Login.presentation())
            }
            guard case .load(let reason as LoopbackError) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason == .timedOut(limit))
            limit *= 2
        }
        let shown = page.withLock { $0 }
        let opened = try #require(shown)
        let items = URLComponents(url: opened, resolvingAgainstBaseURL: false)?.queryItems
        try await expectRefusal(by: try #require(items?.first?.value.flatMap { URL(string: $0) }))
    }

    @Test func `a port that is closed before the answer is there ends the login`() async throws {
        let redirect = try #require(URL(string: "http://127.0.0.1/callback"))
        let place = try LoopbackPlace(redirect, authenticationMethod: "Test")
        let listener = try await LoopbackListener.open(at: place, state: "s3cret", limits: ConnectionLimits())
        let waiting = Task { try await listener.answer() }
        await listener.close()
        let error = await #expect(throws: LoopbackError.self) { try await waiting.value }
        #expect(error == .listenerClosed)
        #expect(error?.errorDescription?.isEmpty == false)
        #expect(error?.errorDescription?.contains("s3cret") == false)
    }

    @Test func `the page is there after the answer and not before, and once it is read nobody can connect`() async throws {
        try await Login.run(limits: .patient) { login in
            #expect(try await login.ask("/callback").status == 404)
            #expect(try await login.ask("HEAD", Login.answer).status == 303)
            #expect(try await login.ask("/callback").status == 404)
            #expect(try await login.ask(Login.answer).status == 303)
            #expect(try await login.ask("HEAD", "/callback").status == 200)
            #expect(try await login.ask("/callback").body == AnswerPage.received.html)
            #expect(try await login.resultWithoutReading().finishURL.query() == "code=c0de&state=s3cret")
            try await login.expectToBeClosed()
        }
    }

    @Test func `a browser that does not come for the page is not waited for long`() async throws {
        var limits = ConnectionLimits()
        limits.pageTime = .milliseconds(50)
        try await Login.run(limits: limits) { login in
            #expect(try await login.ask(Login.answer).status == 303)
            #expect(try await login.resultWithoutReading().finishURL.query() == "code=c0de&state=s3cret")
            try await login.expectToBeClosed()
        }
    }

    @Test func `cancelling ends the wait for the page too`() async throws {
        try await Login.run(limits: .patient) { login in
            #expect(try await login.ask(Login.answer).status == 303)
            login.cancel()
            await #expect(throws: CancellationError.self) { try await login.resultWithoutReading() }
            try await login.expectToBeClosed()
        }
    }

    @Test func `the answer that comes twice is one answer, and another one finds nothing`() async throws {
        try await Login.run(limits: .patient) { login in
            #expect(try await login.ask(Login.answer).status == 303)
            #expect(try await login.ask(Login.answer).status == 303)
            #expect(try await login.ask("/callback?code=other&state=s3cret").status == 404)
            let result = try await login.result()
            #expect(result.finishURL.query() == "code=c0de&state=s3cret")
        }
    }

    @Test func `of answers that come at once, one is taken, and its page says so`() async throws {
        try await Login.run(limits: .patient) { login in
            var connections: [RawConnection] = []
            for _ in 0..<8 { connections.append(try await login.connect()) }
            let codes = try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
                for (number, connection) in connections.enumerated() {
                    group.addTask {
                        await connection.send(login.request("GET", "/callback?code=\(number)&state=s3cret"))
                        return (number, try await connection.answer().status)
                    }
                }
                return try await group.reduce(into: [Int: Int?]()) { $0[$1.0] = .some($1.1) }
            }
            let taken = codes.filter { $0.value == 303 }
            #expect(taken.count == 1)
            #expect(codes.values.allSatisfy { $0 == 303 || $0 == 404 })
            let result = try await login.result()
            #expect(result.finishURL.query() == "code=\(try #require(taken.first).key)&state=s3cret")
        }
    }
}
