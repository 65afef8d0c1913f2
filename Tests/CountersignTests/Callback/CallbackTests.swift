import Foundation
import Synchronization
import Testing

@testable @_spi(Generated) import Countersign

@Suite struct CallbackRuleTests {
    private let rule = CallbackRule(
        schemeEnding: ".back", host: "callback", path: "/set", application: "com.example.codes", source: "x-source",
        query: [.init("user_value", as: "user"), .init("code_value", as: "code")])

    @Test(arguments: [
        "app.back://callback/set", "APP.BACK://CALLBACK/set", "app.back://callback/set?a=b#c",
        "com.example-2.app.back://callback/set",
    ])
    func `a callback is known by its address`(_ text: String) throws {
        #expect(rule.accepts(try #require(URL(string: text)), scheme: nil))
    }

    @Test(arguments: [
        "app.back2://callback/set", "back://callback/set", "app.back://callback/SET", "app.back://callback/set/",
        "app.back://callback.evil/set", "app.back://me@callback/set", "app.back://callback:1/set", "app.back:callback/set",
        "app.back://callback/s%65t", "https://callback/set",
    ])
    func `anything else is none`(_ text: String) throws {
        #expect(!rule.accepts(try #require(URL(string: text)), scheme: nil))
    }

    @Test func `a whole scheme is compared without case`() throws {
        let url = try #require(URL(string: "app.back://callback/set"))
        #expect(rule.accepts(url, scheme: "App.Back"))
        #expect(!rule.accepts(url, scheme: "b.app.back"))
        // A scheme that the application sets need not have the end that the spec demands.
        #expect(rule.accepts(try #require(URL(string: "own://callback/set")), scheme: "own"))
    }

    private func parameters(_ query: String, from stated: String? = "com.example.codes") throws -> [String: String] {
        let url = try #require(URL(string: "app.back://callback/set?\(query)"))
        let parameters = try rule.parameters(of: url, from: stated, expecting: "com.example.codes")
        return Dictionary(uniqueKeysWithValues: parameters.all.map { ($0.name, $0.value) })
    }

    @Test func `values go over under their new names, decoded once`() throws {
        #expect(
            try parameters("user_value=a+b%2Bc%20%2525&code_value=1&other=2") == ["user": "a+b+c %25", "code": "1"])
    }

    @Test(arguments: [
        ("user_value=a&code_value=", CallbackRefusal.missingParameter("code_value")),
        ("code_value=1", .missingParameter("user_value")),
        ("", .missingParameter("user_value")), ("user_value=a&code_value=1&code_value=1", .repeatedParameter),
        ("user_value=a&code_value=1&z&z", .repeatedParameter), ("user_value=a&code_value=%FF", .malformed),
        ("user_value=a&code_value=1&x-source=com.example.stranger", .otherApplication),
    ])
    func `what is not as it has to be is refused`(_ query: String, _ refusal: CallbackRefusal) {
        #expect(throws: refusal) { try parameters(query) }
    }

    @Test func `the system or the URL must name the expected application, and neither may name another`() throws {
        let good = "user_value=a&code_value=1"
        #expect(throws: CallbackRefusal.otherApplication) { try parameters(good, from: nil) }
        #expect(throws: CallbackRefusal.otherApplication) { try parameters(good, from: "com.example.stranger") }
        #expect(throws: CallbackRefusal.otherApplication) {
            try parameters(good + "&x-source=com.example.codes", from: "com.example.stranger")
        }
        #expect(try parameters(good + "&x-source=com.example.codes", from: nil)["code"] == "1")
    }

    @Test func `RT-30 a refusal says no value`() throws {
        for refusal in [
            CallbackRefusal.notAwaited, .ambiguous(waiting: 2), .otherApplication, .malformed, .repeatedParameter,
            .missingParameter("code_value"), .presenterCannotMove,
        ] {
            #expect(refusal.description.hasSuffix("."))
            #expect(refusal.localizedDescription == refusal.description)
        }
    }
}

@Suite struct CallbackRouterTests {
    private final class Place: Sendable {
        let taken = Mutex<[URL]>([])
        let refusals = Mutex<[CallbackRefusal]>([])
        let answer: CallbackRefusal?

        init(_ answer: CallbackRefusal? = nil) { self.answer = answer }

        var waiting: CallbackRouter.Waiting {
            CallbackRouter.Waiting(
                accepts: { $0.scheme == "app" },
                take: { [self] (url, _) throws(CallbackRefusal) in
                    if let answer { throw answer }
                    taken.withLock { $0.append(url) }
                }, noteRefusal: { [self] refusal in refusals.withLock { $0.append(refusal) } })
        }
    }

    @Test func `an exact match comes before one that takes any URL`() async throws {
        let (router, exact, any) = (CallbackRouter(), Place(), Place())
        let url = try #require(URL(string: "app://a"))
        let vague = CallbackRouter.Waiting(
            accepts: { _ in true }, isExact: { false },
            take: { (url, _) throws(CallbackRefusal) in try any.waiting.take(url, OpenURLOptions()) },
            noteRefusal: { _ in })
        try await router.wait(vague) {
            try await router.wait(exact.waiting) { try router.open(url) }
        }
        #expect(exact.taken.withLock { $0 } == [url])
        #expect(any.taken.withLock { $0.isEmpty })
    }

    @Test func `a URL goes to the one that waits, for as long as it waits`() async throws {
        let (router, place) = (CallbackRouter(), Place())
        let url = try #require(URL(string: "app://a"))
        let other = try #require(URL(string: "other://a"))
        #expect(throws: CallbackRefusal.notAwaited) { try router.open(url) }
        try await router.wait(place.waiting) {
            try router.open(url)
            #expect(throws: CallbackRefusal.notAwaited) { try router.open(other) }
        }
        #expect(throws: CallbackRefusal.notAwaited) { try router.open(url) }
        #expect(place.taken.withLock { $0 } == [url])
    }

    @Test func `M31 a URL that two wait for goes to neither, and both are notified`() async throws {
        let (router, one, other) = (CallbackRouter(), Place(), Place())
        let url = try #require(URL(string: "app://a"))
        _ = await router.wait(one.waiting) {
            await router.wait(other.waiting) {
                #expect(throws: CallbackRefusal.ambiguous(waiting: 2)) { try router.open(url) }
            }
        }
        for place in [one, other] {
            #expect(place.taken.withLock { $0 }.isEmpty)
            #expect(place.refusals.withLock { $0 } == [.ambiguous(waiting: 2)])
        }
    }

    @Test func `a waiter that refuses a URL receives the refusal`() async throws {
        let (router, place) = (CallbackRouter(), Place(.malformed))
        let url = try #require(URL(string: "app://a"))
        _ = await router.wait(place.waiting) { #expect(throws: CallbackRefusal.malformed) { try router.open(url) } }
        #expect(place.refusals.withLock { $0 } == [.malformed])
    }

    @Test func `an end by an error is an end`() async throws {
        let (router, place) = (CallbackRouter(), Place())
        let url = try #require(URL(string: "app://a"))
        await #expect(throws: CancellationError.self) { try await router.wait(place.waiting) { throw CancellationError() } }
        #expect(throws: CallbackRefusal.notAwaited) { try router.open(url) }
    }
}

@Suite struct PageMoverTests {
    private let first = URL(string: "https://a.example/1")
    private let second = URL(string: "https://a.example/2")

    @Test func `a page that nobody moves says so`() throws {
        let mover = PageMover()
        let url = try #require(first)
        #expect(throws: CallbackRefusal.presenterCannotMove) { try mover.move(to: url) }
    }

    @Test func `of several URLs the last counts, and then the next`() async throws {
        let mover = PageMover()
        var urls = mover.urls().makeAsyncIterator()
        try mover.move(to: try #require(first))
        try mover.move(to: try #require(second))
        #expect(await urls.next() == second)
        try mover.move(to: try #require(first))
        #expect(await urls.next() == first)
    }

    @Test func `a later reader of the URLs replaces the one before`() async throws {
        let mover = PageMover()
        var before = mover.urls().makeAsyncIterator()
        var after = mover.urls().makeAsyncIterator()
        try mover.move(to: try #require(first))
        #expect(await before.next() == nil)
        #expect(await after.next() == first)
    }

    @Test func `a presenter that has gone cannot be moved`() async throws {
        let mover = PageMover()
        let waiting = Task { for await _ in mover.urls() {} }
        waiting.cancel()
        await waiting.value
        let url = try #require(first)
        #expect(throws: CallbackRefusal.presenterCannotMove) { try mover.move(to: url) }
    }
}

/// The log of the default completion handler of generated authenticators.
@Suite struct CompletionLogTests {
    private struct Foreign: Error { let token = "c4n4ry" }

    @Test func `an error is logged without secrets`() {
        let log = MemoryLog()
        GeneratedCodeVersion3.log(nil, of: "Login", to: log.logger())
        #expect(log.lines.isEmpty)
        GeneratedCodeVersion3.log(LoginError.cancelled, of: "Login", to: log.logger())
        GeneratedCodeVersion3.log(Foreign(), of: "Login", to: log.logger())
        #expect(log.lines.count == 2)
        #expect(log.lines.first?.contains("error an authentication failed authentication=Login") == true)
        #expect(log.lines.first?.contains("cancelled") == true)
        #expect(log.lines.last?.contains("Foreign") == true)
        #expect(!log.lines.joined().contains("c4n4ry"))
    }
}
