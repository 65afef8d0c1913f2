import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// One authentication for any number of challenged requests, from a caller's view.
@Suite(.timeLimit(.minutes(10))) struct SharedAuthenticationTests {
    @Test func `a challenged request is sent again after one login, body included`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            guard server.knows(sent) else { return server.challenge }
            return .text(String(decoding: try await sent.body(), as: UTF8.self))
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())

        let response = try await session.send(.to("https://app.example/data", .post, body: .text("order")))

        #expect(try await response.text() == "order")
        #expect(presenter.presentations.count == 1)
        #expect(transport.sent.map { $0["Cookie"] } == [nil, "login=s1"])
    }

    @Test func `RT-02 a thousand requests challenged at once need one login, and each is resent once`() async throws {
        try await expectOneLogin(for: 1_000)
    }

    @Test func `RT-12 fifty first requests without a session need one login`() async throws {
        try await expectOneLogin(for: 50)
    }

    private func expectOneLogin(for count: Int) async throws {
        let server = LoginServer()
        let (arrival, login) = (Turnstile(), Turnstile())
        let events = EventRecorder()
        let presenter = server.presenter(after: login)
        let transport = ScriptedTransport { sent in
            guard server.knows(sent) else {
                // No request is answered before all have arrived, so none can use the login of another.
                try await arrival.pass()
                return server.challenge
            }
            return .text("data")
        }
        let session = Session(configuration: .test(presenter: presenter, events: events), transport: transport)
        session.register(try server.observer())

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...count {
                group.addTask {
                    let response = try await session.send(.to("https://app.example/\(number)"))
                    #expect(try await response.text() == "data")
                }
            }
            await arrival.arrivals(count)
            arrival.open()
            await events.wait(for: .joined(waiters: count))
            login.open()
            try await group.waitForAll()
        }

        #expect(presenter.presentations.count == 1)
        #expect(events.count(.started(interactive: true)) == 1)
        #expect(events.count(.resent) == count)
        let sends = Dictionary(grouping: transport.sent, by: \.path).mapValues(\.count)
        #expect(sends.count == count)
        #expect(sends.values.allSatisfy { $0 == 2 })
    }

    @Test func `RT-03 a late challenge for an older session is only resent`() async throws {
        let server = LoginServer()
        let late = Turnstile()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            let reply = server.answer(sent)
            if sent.path == "/late", sent["Cookie"] == nil { try await late.pass() }
            return reply
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())

        let slow = Task { try await session.send(.to("https://app.example/late")) }
        await late.arrivals(1)
        _ = try await session.send(.to("https://app.example/fast"))
        late.open()

        #expect(try await slow.value.text() == "data")
        #expect(presenter.presentations.count == 1)
        #expect(transport.sent.count { $0.path == "/late" } == 2)
    }

    @Test func `RT-03 after a direct authentication a challenge to an earlier request is only resent`() async throws {
        let server = LoginServer()
        let late = Turnstile()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            let reply = server.answer(sent)
            if sent["Cookie"] == nil { try await late.pass() }
            return reply
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        let observer = try server.observer()
        session.register(observer)

        let slow = Task { try await session.send(.to("https://app.example/late")) }
        await late.arrivals(1)
        try await observer.authenticator.authenticate()
        late.open()

        #expect(try await slow.value.text() == "data")
        #expect(presenter.presentations.count == 1)
    }

    @Test @MainActor func `RT-04 a login that ends at once, on the caller's own actor, blocks nothing`() async throws {
        let server = LoginServer()
        let presenter = ScriptedPresenter { presentation in await MainActor.run { server.finished(presentation) } }
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())
        #expect(try await session.send(.to("https://app.example/data")).text() == "data")
    }

    @Test func `RT-05 a flow that sends through its own session gets the challenge as it is, and does not wait for itself`()
        async throws
    {
        let server = LoginServer()
        let seen = Mutex<String?>(nil)
        let transport = ScriptedTransport { sent in
            sent.path == "/token"
                ? Reply(200, [("Set-Cookie", "\(server.name)=\(server.logIn().value); Path=/")]) : server.answer(sent)
        }
        let session = Session(configuration: .test(), transport: transport)
        session.register(
            LoginObserver(
                name: "own", authenticator: LoginAuthenticator(method: .login(), parameters: try server.parameters()),
                authenticate: { session in
                    let challenged = try await session.send(.to("https://app.example/data"))
                    let text = try await challenged.text()
                    seen.withLock { $0 = text }
                    _ = try await session.send(.to("https://app.example/token"))
                }))

        #expect(try await session.send(.to("https://app.example/data")).text() == "data")
        #expect(seen.withLock { $0 } == "<html>")
        #expect(transport.sent.map(\.path) == ["/data", "/data", "/token", "/data"])
    }

    @Test func `RT-05 a presenter that sends over the session's transport does not meet its observers`() async throws {
        let server = LoginServer()
        let presenter = ScriptedPresenter { presentation in
            let page = try await presentation.transport.send(SessionRequest(HTTPRequest(url: presentation.url)))
            #expect(try await page.text() == "<html>")
            return server.finished(presentation)
        }
        let transport = ScriptedTransport { server.answer($0) }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())
        #expect(try await session.send(.to("https://app.example/data")).text() == "data")
        #expect(transport.sent.map(\.path) == ["/data", "/login", "/data"])
    }

    @Test func `RT-05 a task that a flow has left behind is answered like any other`() async throws {
        let server = LoginServer()
        let after = Turnstile()
        let leftBehind = Mutex<Task<String, any Error>?>(nil)
        let session = Session(configuration: .test(), transport: ScriptedTransport { server.answer($0) })
        session.register(
            LoginObserver(
                name: "own", authenticator: LoginAuthenticator(method: .login(), parameters: try server.parameters()),
                authenticate: { session in
                    session.cookies.set(server.logIn())
                    leftBehind.withLock { task in
                        task =
                            task
                            ?? Task {
                                try await after.pass()
                                return try await session.send(.to("https://app.example/data")).text()
                            }
                    }
                }))
        _ = try await session.send(.to("https://app.example/data"))
        server.expire()
        after.open()
        let task = try #require(leftBehind.withLock { $0 })
        #expect(try await task.value == "data")
    }

    @Test func `RT-06 a cancelled waiter leaves alone, and the login goes on for the other`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let events = EventRecorder()
        let presenter = server.presenter(after: login)
        let session = Session(
            configuration: .test(presenter: presenter, events: events), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())

        let first = Task { try await session.send(.to("https://app.example/1")).text() }
        await login.arrivals(1)
        let second = Task { try await session.send(.to("https://app.example/2")).text() }
        await events.wait(for: .joined(waiters: 2))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        login.open()

        #expect(try await second.value == "data")
        #expect(presenter.presentations.count == 1)
    }

    @Test func `RT-06 when the last waiter is cancelled the login page is closed`() async throws {
        let closed = Turnstile()
        let shown = Turnstile()
        let server = LoginServer()
        let presenter = ScriptedPresenter { presentation in
            do { try await shown.pass() } catch {
                closed.open()
                throw error
            }
            return server.finished(presentation)
        }
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())

        let only = Task { try await session.send(.to("https://app.example/1")) }
        await shown.arrivals(1)
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        try await closed.pass()
        #expect(session.cookies.all.isEmpty)
    }

    @Test func `RT-08 a failed login is one attempt with the same error for all, and RT-09 the next request tries anew`()
        async throws
    {
        struct Offline: Error {}
        let server = LoginServer()
        let (arrival, login) = (Turnstile(), Turnstile())
        let events = EventRecorder()
        let isOnline = Mutex(false)
        let presenter = ScriptedPresenter { presentation in
            try await login.pass()
            guard isOnline.withLock({ $0 }) else { throw PresentationFailure.load(Offline()) }
            return server.finished(presentation)
        }
        let transport = ScriptedTransport { sent in
            if !server.knows(sent) { try await arrival.pass() }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: presenter, events: events), transport: transport)
        session.register(try server.observer())

        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...20 {
                group.addTask {
                    let error = await #expect(throws: LoginError.self) {
                        try await session.send(.to("https://app.example/\(number)"))
                    }
                    return try #require(error).code
                }
            }
            await arrival.arrivals(20)
            arrival.open()
            await events.wait(for: .joined(waiters: 20))
            login.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: "page", count: 20))
        #expect(presenter.presentations.count == 1)
        #expect(transport.sent.count == 20)

        isOnline.withLock { $0 = true }
        #expect(try await session.send(.to("https://app.example/again")).text() == "data")
        #expect(presenter.presentations.count == 2)
    }

    @Test func `RT-14 all requests of a login that the user has closed get the same error`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let events = EventRecorder()
        let presenter = ScriptedPresenter { _ in
            try await login.pass()
            throw PresentationFailure.dismissed
        }
        let session = Session(
            configuration: .test(presenter: presenter, events: events), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())

        let first = Task { try await session.send(.to("https://app.example/1")) }
        await login.arrivals(1)
        let second = Task { try await session.send(.to("https://app.example/2")) }
        await events.wait(for: .joined(waiters: 2))
        login.open()

        await expectCancelled { try await first.value }
        await expectCancelled { try await second.value }
        #expect(presenter.presentations.count == 1)
        #expect(events.count(.failed(code: "cancelled")) == 1)
    }

    @Test func `RT-14 cancelling the authenticator ends its login for all waiting requests`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let presenter = server.presenter(after: login)
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) })
        let observer = try server.observer()
        session.register(observer)

        let response = Task { try await session.send(.to("https://app.example/1")) }
        await login.arrivals(1)
        observer.authenticator.cancel()
        await expectCancelled { try await response.value }
    }

    private func expectCancelled(_ send: () async throws -> SessionResponse) async {
        let error = await #expect(throws: LoginError.self) { try await send() }
        #expect(error?.code == "cancelled")
    }

    @Test func `RT-20 a server that always challenges gets two sends, one login and the method's own error`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let transport = ScriptedTransport { _ in server.challenge }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())

        let error = await #expect(throws: LoginError.self) { try await session.send(.to("https://app.example/data")) }
        #expect(error?.code == "rejected")
        #expect(transport.sent.count == 2)
        #expect(presenter.presentations.count == 1)
    }

    @Test func `RT-20 a method without steps after the resend ends in the runtime's error, with where it happened`() async throws {
        let server = LoginServer()
        let transport = ScriptedTransport { _ in server.challenge }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        session.register(try server.observer(.login(rejection: nil)))

        let error = await #expect(throws: CountersignError.self) {
            try await session.send(.to("https://app.example/data?q=1", .put))
        }
        #expect(error?.code == .challengedAgain)
        #expect(error?.authenticationMethod == "Login")
        #expect(error?.requestMethod == "PUT")
        #expect(error?.origin?.description == "https://app.example")
        #expect(error?.status == 200)
        #expect(transport.sent.count == 2)
    }

    @Test func `RT-20 more logins than the window allows end in a typed error`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let session = Session(
            configuration: .test(presenter: presenter) { $0.maximumAuthentications = 3 },
            transport: ScriptedTransport { _ in server.challenge })
        session.register(try server.observer())
        for _ in 1...3 { await #expect(throws: LoginError.self) { try await session.send(.to("https://app.example/data")) } }
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/data")) }
        #expect(error?.code == .tooManyAuthentications)
        #expect(error?.authenticationMethod == "login")
        #expect(presenter.presentations.count == 3)
    }

    @Test func `without sharing, each challenge logs in for itself`() async throws {
        let server = LoginServer()
        let arrival = Turnstile()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            if sent["Cookie"] == nil { try await arrival.pass() }
            return sent["Cookie"] == nil ? server.challenge : .text("data")
        }
        let session = Session(configuration: .test(presenter: presenter) { $0.sharesAuthentications = false }, transport: transport)
        session.register(try server.observer())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 { group.addTask { _ = try await session.send(.to("https://app.example/\(number)")) } }
            await arrival.arrivals(4)
            arrival.open()
            try await group.waitForAll()
        }
        #expect(presenter.presentations.count == 4)
    }

    @Test func `two methods answer one request after the other`() async throws {
        let (first, second) = (LoginServer(name: "saml"), LoginServer(name: "otp"))
        let transport = ScriptedTransport { sent in
            guard first.knows(sent) else { return first.challenge }
            guard second.knows(sent) else { return second.challenge }
            return .text(String(decoding: try await sent.body(), as: UTF8.self))
        }
        let events = EventRecorder()
        let session = Session(configuration: .test(events: events), transport: transport)
        let (samlPresenter, otpPresenter) = (first.presenter(), second.presenter())
        session.register(try second.observer(presenter: otpPresenter))
        session.register(try first.observer(presenter: samlPresenter))

        let response = try await session.send(.to("https://app.example/data", .post, body: .text("order")))

        #expect(try await response.text() == "order")
        #expect(samlPresenter.presentations.count == 1)
        #expect(otpPresenter.presentations.count == 1)
        #expect(transport.sent.count == 3)
        #expect(transport.sent.last?["Cookie"]?.split(separator: "; ").sorted() == ["otp=s1", "saml=s1"])
        #expect(events.events.filter { $0.kind == .resent }.map(\.observer) == ["samlObserver", "otpObserver"])
    }
}
