import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// One exchange: the attached credentials, the stored cookies, and the calls of observers.
@Suite(.timeLimit(.minutes(10))) struct ExchangeTests {
    @Test func `an ordinary request is sent once, as it is, with what the observers and the jar add`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        session.cookies.set(Cookie(name: "a", value: "1", domain: "app.example", isHostOnly: true))
        let observer = SpyObserver(attach: { request, _ in
            request.headerFields[.authorization] = "Bearer t"
            return .ready(.none)
        })
        session.register(observer)
        let response = try await session.send(.to("https://app.example/data?q=1", .post, fields: [("X-A", "b")], body: .text("x")))
        #expect(try await response.text() == "data")
        #expect(response.url.absoluteString == "https://app.example/data?q=1")
        let sent = try #require(transport.sent.first)
        #expect(sent["Authorization"] == "Bearer t")
        #expect(sent["Cookie"] == "a=1")
        #expect(sent["X-A"] == "b")
        #expect(observer.calls == ["didRegister", "attach", "classify"])
    }

    @Test func `a cookie that is a credential's field is sent beside the jar's, and replaces the one of its name`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        session.register(OriginObserver(.cookie, keys: ["https://app.example": "sid=credential; b=2"]))
        for (name, value) in [("sid", "jar"), ("app", "1")] {
            session.cookies.set(Cookie(name: name, value: value, domain: "app.example", isHostOnly: true))
        }
        _ = try await session.send(.to("https://app.example/"))
        #expect(transport.sent.first?.request.head.headerFields[values: .cookie] == ["sid=credential; b=2; app=1"])
    }

    @Test func `a caller's own Cookie field keeps the jar's out`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        session.cookies.set(Cookie(name: "a", value: "1", domain: "app.example", isHostOnly: true))
        _ = try await session.send(.to("https://app.example/", fields: [("Cookie", "own=1")]))
        #expect(transport.sent.first?["Cookie"] == "own=1")
    }

    @Test func `RT-34 a resend is made from the caller's own request, so nothing is attached twice`() async throws {
        let server = LoginServer()
        let transport = ScriptedTransport { sent in
            var reply = server.answer(sent)
            reply.head.headerFields.append(HTTPField(name: .setCookie, value: "seen=\(sent.number); Path=/"))
            return reply
        }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        let signing = SpyObserver(attach: { request, count in
            request.headerFields.append(HTTPField(name: .authorization, value: "Signature \(count)"))
            request.path = (request.path ?? "") + "?signature=\(count)"
            return .ready(.none)
        })
        session.register(signing)
        session.register(try server.observer())

        let response = try await session.send(.to("https://app.example/data", fields: [("Accept", "text/plain")]))

        #expect(response.url.absoluteString == "https://app.example/data?signature=2")
        let last = try #require(transport.sent.last)
        #expect(last.request.head.headerFields[values: .authorization] == ["Signature 2"])
        #expect(last.request.head.headerFields[values: .accept] == ["text/plain"])
        #expect(last.request.head.headerFields[values: .cookie].count == 1)
        #expect(last["Cookie"]?.split(separator: "; ").sorted() == ["login=s1", "seen=1"])
    }

    @Test func `an observer that needs time prepares once and attaches again`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        let observer = SpyObserver(attach: { request, count in
            guard count > 1 else { return .later }
            request.headerFields[.authorization] = "Bearer fresh"
            return .ready(.none.next)
        })
        session.register(observer)
        _ = try await session.send(.to("https://app.example/"))
        #expect(observer.calls == ["didRegister", "attach", "prepare", "attach", "classify"])
        #expect(transport.sent.map { $0["Authorization"] } == ["Bearer fresh"])
    }

    @Test func `an observer that never gets ready stops the request instead of letting it go without`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        session.register(SpyObserver(attach: { _, _ in .later }))
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
        #expect(error?.code == .refusedByObserver)
        #expect(transport.sent.isEmpty)
    }

    @Test func `the first observer that sees a challenge answers it, and no other is asked`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        let isFirst = Mutex(true)
        let first = SpyObserver(
            name: "first",
            classify: { _, _ in
                let wasFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return wasFirst ? .challenge(signature: "s") : .pass
            })
        let second = SpyObserver(name: "second", classify: { _, _ in .pass })
        session.register(first)
        session.register(second)
        _ = try await session.send(.to("https://app.example/"))
        #expect(first.calls == ["didRegister", "attach", "classify", "recover", "attach", "classify"])
        #expect(second.calls == ["didRegister", "attach", "attach", "classify"])
    }

    @Test func `a head that an observer replaces is what later observers and the caller see, with the body as it came`()
        async throws
    {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        let seen = Mutex<Int?>(nil)
        session.register(SpyObserver(classify: { _, _ in .replace(HTTPResponse(status: .accepted)) }))
        session.register(
            SpyObserver(classify: { response, _ in
                seen.withLock { $0 = response.status.code }
                return .pass
            }))
        let response = try await session.send(.to("https://app.example/"))
        #expect(response.head.status == .accepted)
        #expect(seen.withLock { $0 } == 202)
        #expect(try await response.text() == "data")
    }

    @Test func `a response that an observer refuses ends the exchange with its error, and the body is cut off`() async throws {
        struct Refused: Error {}
        let cancellations = Counter()
        let transport = ScriptedTransport { _ in
            Reply(200, body: ResponseBody(AsyncThrowingStream { $0.finish() }, cancel: { cancellations.increment() }))
        }
        let session = Session(configuration: .test(), transport: transport)
        let later = SpyObserver()
        session.register(SpyObserver(classify: { _, _ in .refuse(Refused()) }))
        session.register(later)
        await #expect(throws: Refused.self) { try await session.send(.to("https://app.example/")) }
        #expect(cancellations.count == 1)
        #expect(later.count("classify") == 0)
    }

    @Test func `RT-20 an observer without generations may have a request sent twice, and not more often`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        let repeats = Mutex<[Bool]>([])
        let observer = SpyObserver(
            classify: { _, _ in .challenge(signature: "s") },
            recover: { challenge, _ in repeats.withLock { $0.append(challenge.isRepeated) } })
        session.register(observer)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
        #expect(error?.code == .challengedAgain)
        #expect(error?.status == 200)
        #expect(repeats.withLock { $0 } == [false, true])
        #expect(transport.sent.count == 2)
    }

    @Test func `RT-20 an observer with a new credential each time is stopped at the limit`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test { $0.maximumAuthentications = 4 }, transport: transport)
        let observer = SpyObserver(
            attach: { _, count in .ready(Generation(UInt64(count))) }, classify: { _, _ in .challenge(signature: "s") })
        session.register(observer)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
        #expect(error?.code == .challengedAgain)
        #expect(transport.sent.count == 5)
    }

    @Test func `an observer gets the request as the caller made it, at its present URL`() async throws {
        let contexts = Mutex<[ExchangeContext]>([])
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(to: "https://other.example/b") : .text("") }
        let session = Session(configuration: .test(), transport: transport)
        session.register(
            SpyObserver(
                attach: { request, _ in
                    request.headerFields[.authorization] = "Bearer t"
                    return .ready(.none)
                },
                classify: { _, context in
                    contexts.withLock { $0.append(context) }
                    return .pass
                }))
        final class Handle: Sendable {}
        let handle = Handle()
        _ = try await session.send(.to("https://app.example/a"), task: handle)
        let seen = contexts.withLock { $0 }
        #expect(seen.map(\.url.absoluteString) == ["https://app.example/a", "https://other.example/b"])
        #expect(seen.map(\.origin.host) == ["app.example", "other.example"])
        #expect(seen.allSatisfy { $0.request.headerFields[.authorization] == nil && $0.task === handle && $0.session === session })
    }

    @Test(
        arguments: [
            (nil, "app.example", "/"), ("https", nil, "/"), ("https", "app.example", nil), ("ftp", "app.example", "/"),
            ("https", "", "/"), ("https", "user@app.example", "/"), ("https", "user:secret@app.example", "/"),
            ("https", "app.example", "/a b"), ("https", "app.example", "/a\r\nHost: x"), ("https", "app example", "/"),
            ("https", "app.example", "a"),
            ("https", "app.example", "/ü"), ("https", "app.example/evil", "/"),
        ] as [(String?, String?, String?)])
    func `a request that cannot be sent is refused with nothing of it in the error`(
        _ scheme: String?, _ authority: String?, _ path: String?
    ) async throws {
        let transport = ScriptedTransport { _ in .text("") }
        let session = Session(configuration: .test(), transport: transport)
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        let error = await #expect(throws: CountersignError.self) { try await session.send(SessionRequest(head)) }
        #expect(error?.code == .invalidRequest)
        #expect(error.map { "\($0)".contains("secret") } == false)
        #expect(transport.sent.isEmpty)
    }
}
