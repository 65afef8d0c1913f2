import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP Basic with the generated observer against the mock landscape (M18).
@Suite(.takesTurns) struct BasicTests {
    private let alice = BasicCredential(username: "alice", password: "wonderland")

    private func run(
        options: (inout MockOptions) -> Void = { _ in }, _ body: (CredentialBench) async throws -> Void
    ) async throws {
        try await CredentialBench.run("BasicAuthentication", options: options, body)
    }

    /// Returns the URL under which a store keeps the credential of the mock's realm.
    private func place(in bench: CredentialBench) throws -> URL {
        let origin = try #require(Origin(bench.mock.baseURL))
        return try #require(CredentialPlace(origin: origin, realm: "Mock").url)
    }

    @Test func `M18 a challenge is answered by what the application gives, once for a hundred requests`() async throws {
        try await run { bench in
            let discovery = ScriptedDiscovery(("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" })
            #expect(discovery.asked == [.init(realm: "Mock", refusals: 0)])
            #expect(bench.mock.statistics.challenges == 100)
            #expect(bench.mock.statistics.sends["/orders"] == 200)
        }
    }

    @Test func `RFC 7617 2_2 a credential goes along unasked below the folder that was challenged, and nowhere else`() async throws
    {
        try await run { bench in
            let discovery = ScriptedDiscovery(("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            #expect(try await bench.user("a/b/first") == "alice")
            #expect(bench.mock.statistics.challenges == 1)
            #expect(try await bench.user("a/b/second") == "alice")
            #expect(try await bench.user("a/b/c/third") == "alice")
            #expect(bench.mock.statistics.challenges == 1)
            #expect(try await bench.user("a/other") == "alice")
            #expect(bench.mock.statistics.challenges == 2)
            #expect(discovery.asked.count == 1)
        }
    }

    @Test func `RFC 7617 2_1 names and passwords are sent in UTF-8`() async throws {
        try await run { bench in
            let discovery = ScriptedDiscovery(("jürgen", "pässwörd€"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            #expect(try await bench.user() == "jürgen")
        }
    }

    @Test func `each realm has a credential of its own, which no other gets`() async throws {
        let options = { (options: inout MockOptions) in
            options.basic.realms = ["/sales/": "Sales", "/hr/": "People \"and\" culture"]
            options.basic.users = ["Sales": ["sam": "1"], "People \"and\" culture": ["hal": "2"]]
        }
        try await run(options: options) { bench in
            let discovery = ScriptedDiscovery(("sam", "1"), ("hal", "2"))
            let store = CredentialMemory()
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            for _ in 0..<2 {
                #expect(try await bench.user("sales/orders") == "sam")
                #expect(try await bench.user("hr/people") == "hal")
            }
            #expect(discovery.asked.map(\.realm) == ["Sales", "People \"and\" culture"])
            #expect(bench.mock.statistics.wrongPasswords == 0)
            #expect(store.all.count == 2)
        }
    }

    @Test func `what is stored is used, and nobody is asked`() async throws {
        try await run { bench in
            let store = CredentialMemory()
            let place = try place(in: bench)
            store.store(credential: alice, for: place)
            let discovery = ScriptedDiscovery()
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            #expect(try await bench.user() == "alice")
            #expect(discovery.asked.isEmpty)
        }
    }

    @Test func `a stored credential that is refused is deleted, asked for and stored again`() async throws {
        try await run { bench in
            let store = CredentialMemory()
            let place = try place(in: bench)
            store.store(credential: BasicCredential(username: "alice", password: "of yesterday"), for: place)
            let discovery = ScriptedDiscovery(("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            let users = await bench.users(20)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" })
            #expect(discovery.asked == [.init(realm: "Mock", refusals: 1)])
            #expect(store.all == [place: alice])
        }
    }

    @Test func `wrong passwords are asked for a few times, then all waiting requests get one error, and later requests start over`()
        async throws
    {
        try await run { bench in
            let wrong = ["a", "b", "c", "d"].map { ("alice", $0) }
            let discovery = ScriptedDiscovery(wrong[0], wrong[1], wrong[2], wrong[3], ("alice", "wonderland"))
            let store = CredentialMemory()
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            let results = await bench.users(10)
            for result in results {
                guard case .failure(AuthenticationObserverError.retryCountReached) = result else {
                    Issue.record("not retryCountReached but \(result)")
                    continue
                }
            }
            #expect(discovery.asked.map(\.refusals) == [0, 1, 2, 3])
            #expect(
                (13...40).contains(bench.mock.statistics.wrongPasswords),
                "each password by one request at least, by each at most once")
            #expect(store.all.isEmpty)
            #expect(try await bench.user() == "alice", "a later request of the same session starts over")
        }
    }

    @Test func `a wrong password that is given again is not sent again`() async throws {
        try await run { bench in
            let wrong = ("alice", "a")
            let discovery = ScriptedDiscovery(wrong, wrong, ("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            #expect(try await bench.user() == "alice")
            #expect(bench.mock.statistics.wrongPasswords == 1)
            #expect(discovery.asked.map(\.refusals) == [0, 1, 2])
        }
    }

    @Test func `a user who cancels ends the request`() async throws {
        try await run { bench in
            let discovery = ScriptedDiscovery()
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            #expect(await bench.error() as? BasicCredentialDiscoveryError == .cancelled)
            #expect(discovery.asked.count == 1)
        }
    }

    @Test(arguments: [("al:ice", "wonderland"), ("alice", "wonder\nland"), ("ali\u{7F}ce", "wonderland")])
    func `RFC 7617 2 what Basic cannot carry is refused before it is sent or stored`(name: String, password: String) async throws {
        try await run { bench in
            let store = CredentialMemory()
            let discovery = ScriptedDiscovery((name, password))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            let error = await bench.error()
            #expect(error as? BasicCredentialDiscoveryError == .inconsistentState)
            let text = "\(error.map { String(reflecting: $0) } ?? "") \(error?.localizedDescription ?? "")"
            #expect(!text.contains("wonder"))
            #expect(store.all.isEmpty)
            #expect(bench.mock.statistics.sends["/orders"] == 1)
        }
    }

    @Test func `an observer with nobody to ask says so`() async throws {
        try await run { bench in
            try bench.register(BasicAuthenticationObserver())
            #expect(await bench.error() as? BasicCredentialDiscoveryError == .inconsistentState)
        }
    }

    @Test func `a credential and an error at once are neither`() async throws {
        final class Both: BasicCredentialDiscovery {
            func provideBasicCredential(
                for url: URL, challenge: URLAuthenticationChallenge,
                completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
            ) {
                completionHandler(BasicCredential(username: "alice", password: "wonderland"), CancellationError())
            }
        }
        try await run { bench in
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: Both()))
            #expect(await bench.error() as? BasicCredentialDiscoveryError == .inconsistentState)
        }
    }

    @Test func `an error of the application's discovery is that of the requests`() async throws {
        struct Locked: Error {}
        try await run { bench in
            try bench.register(
                BasicAuthenticationObserver(basicCredentialDiscovery: DefaultBasicCredentialDiscovery { _, _, _ in throw Locked() })
            )
            #expect(await bench.error() is Locked)
        }
    }

    @Test func `the caller's own Authorization field stays, and its challenge is the caller's business`() async throws {
        try await run { bench in
            let discovery = ScriptedDiscovery(("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            var request = URLRequest(url: bench.url("orders"))
            request.setValue("Bearer of-the-caller", forHTTPHeaderField: "Authorization")
            let (_, response) = try await bench.session.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 401)
            #expect(discovery.asked.isEmpty)
        }
    }

    @Test func `a redirect to another server gets no credential, unless the application names that server`() async throws {
        try await run { bench in
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: Self.protected) { other in
                let discovery = ScriptedDiscovery(("alice", "wonderland"), ("alice", "wonderland"))
                try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
                bench.mock.inject(
                    .redirect(to: other.baseURL.appending(path: "there").absoluteString), matching: .path("/away"), times: 2)
                #expect(try await bench.status("away") == 401)
                #expect(discovery.asked.isEmpty)

                let session = SAPURLSession()
                session.register(
                    BasicAuthenticationObserver(
                        basicCredentialDiscovery: discovery, protectedURLs: [bench.mock.baseURL, other.baseURL]))
                let (_, response) = try await session.data(from: bench.url("away"))
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                await session.session.invalidate(cancelling: true)
            }
        }
    }

    private static var protected: MockOptions {
        var options = MockOptions()
        options.protection = "BasicAuthentication"
        return options
    }

    @Test func `M7 a logout says that the store keeps what it should forget`() async throws {
        try await run { bench in
            let store = StubbornMemory()
            let discovery = ScriptedDiscovery(("alice", "wonderland"), ("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            #expect(try await bench.user() == "alice")
            let settings = SAPcpmsSettingsParameters(backendURL: bench.mock.baseURL, applicationID: "com.example.app")
            let error = await #expect(throws: CountersignError.self) {
                try await bench.session.logout(settingsParameters: settings)
            }
            #expect(error?.code == .credentialNotDeleted)
            #expect(error?.authenticationMethod == "BasicAuthentication")
            store.isStubborn.withLock { $0 = false }
            try await bench.session.logout(settingsParameters: settings)
        }
    }

    @Test func `a logout deletes what was stored, and the next request asks`() async throws {
        try await run { bench in
            let store = CredentialMemory()
            let discovery = ScriptedDiscovery(("alice", "wonderland"), ("jürgen", "pässwörd€"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store))
            #expect(try await bench.user() == "alice")
            #expect(store.all.count == 1)
            bench.session.endSession()
            #expect(try await bench.user() == "jürgen")
            #expect(store.all.values.map(\.username) == ["jürgen"])
        }
    }

    @Test func `a store that fails costs nothing but the storing`() async throws {
        final class Broken: BasicCredentialStoring {
            struct Full: Error {}
            func store(credential: BasicCredential, for url: URL) throws { throw Full() }
            func credential(for url: URL) throws -> BasicCredential? { nil }
            func delete(for url: URL) throws { throw Full() }
        }
        try await run { bench in
            let discovery = ScriptedDiscovery(("alice", "wrong"), ("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: Broken()))
            #expect(try await bench.user() == "alice")
        }
    }

    @Test func `a store that keeps what is refused does not keep a user out`() async throws {
        final class ReadOnly: BasicCredentialStoring {
            struct Refused: Error {}
            func store(credential: BasicCredential, for url: URL) throws { throw Refused() }
            func credential(for url: URL) throws -> BasicCredential? { BasicCredential(username: "alice", password: "old") }
            func delete(for url: URL) throws { throw Refused() }
        }
        try await run { bench in
            let discovery = ScriptedDiscovery(("alice", "wrong"), ("alice", "wonderland"))
            try bench.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: ReadOnly()))
            #expect(try await bench.user() == "alice")
            #expect(discovery.asked.count == 2)
            #expect(bench.mock.statistics.wrongPasswords == 2, "what is stored is sent once")
        }
    }

    @Test func `an application's own comparison decides`() async throws {
        final class Never: BasicAuthenticationObserver, @unchecked Sendable {
            override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool { false }
        }
        try await run { bench in
            try bench.register(Never(basicCredentialDiscovery: ScriptedDiscovery(("alice", "wonderland"))))
            #expect(try await bench.status() == 401)
        }
    }

    @Test func `no description shows a name or a password`() {
        var text = ""
        dump(alice, to: &text)
        text += "\(alice) \(String(reflecting: alice)) \([alice])"
        #expect(!text.contains("alice") && !text.contains("wonderland"))
    }
}

/// A store that fails to delete credentials.
private final class StubbornMemory: BasicCredentialStoring {
    struct Refusal: Error {}

    let isStubborn = Mutex(true)
    private let entries = Mutex<[URL: BasicCredential]>([:])

    func store(credential: BasicCredential, for url: URL) { entries.withLock { $0[url] = credential } }
    func credential(for url: URL) -> BasicCredential? { entries.withLock { $0[url] } }
    func delete(for url: URL) throws {
        if isStubborn.withLock({ $0 }) { throw Refusal() }
        entries.withLock { $0[url] = nil }
    }
}
