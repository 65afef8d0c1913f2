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

/// API keys with the generated observer against the mock landscape (M19).
@Suite(.takesTurns) struct APIKeyTests {
    private static let good = "countersign-api-key"

    private func run(
        options: (inout MockOptions) -> Void = { _ in }, _ body: (CredentialBench) async throws -> Void
    ) async throws {
        try await CredentialBench.run("APIKeyAuthentication", options: options, body)
    }

    private func observer(_ keys: String..., only: Bool = true, anonymous: Bool = false) -> APIKeyAuthenticationObserver {
        let config = APIKeyAuthenticationConfig(apikeys: keys, isAPIKeyAccessOnly: only, allowAnonymousAccessFlag: anonymous)
        return APIKeyAuthenticationObserver(
            apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: config), isAPIKeyAccessOnly: only)
    }

    @Test func `M19 the key goes with every request, and nothing is challenged`() async throws {
        try await run { bench in
            try bench.register(observer(Self.good))
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "application" })
            #expect(bench.mock.statistics.challenges == 0)
            #expect(bench.mock.statistics.sends["/orders"] == 100)
        }
    }

    @Test func `a key that is refused is followed by the next, once for a hundred requests`() async throws {
        try await run { bench in
            try bench.register(observer("a-key-of-yesterday", Self.good))
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "application" })
            #expect(bench.mock.statistics.wrongKeys == 100)
            #expect(try await bench.user() == "application")
            #expect(bench.mock.statistics.wrongKeys == 100, "the good key stays in use")
        }
    }

    @Test func `keys can come asynchronously, and a fresh one takes the place of a refused one`() async throws {
        final class Vault: AsyncAPIKeyCredentialDiscovery {
            private let keys = Mutex(["a-key-of-yesterday", "countersign-api-key"])

            func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential? {
                await Task.yield()
                return keys.withLock { $0.isEmpty ? nil : APIKeyCredential(apikeys: [$0.removeFirst()]) }
            }
        }
        try await run { bench in
            try bench.register(APIKeyAuthenticationObserver(apikeyCredentialDiscovery: Vault(), isAPIKeyAccessOnly: true))
            #expect(try await bench.user() == "application")
            #expect(bench.mock.statistics.wrongKeys == 1)
        }
    }

    @Test(arguments: 1...7) func `keys that the server refuses for good are a typed error, however many`(count: Int) async throws {
        try await run { bench in
            let keys = (0..<count).map { "c4n4ry-\($0)" }
            let config = APIKeyAuthenticationConfig(apikeys: keys, isAPIKeyAccessOnly: true, allowAnonymousAccessFlag: false)
            try bench.register(
                APIKeyAuthenticationObserver(
                    apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: config), isAPIKeyAccessOnly: true))
            for _ in 0..<3 {
                let error = try #require(await bench.error() as? APIKeyAuthenticationError)
                guard case .invalidAPIKeyCredential = error else {
                    Issue.record("not invalidAPIKeyCredential but \(error)")
                    return
                }
                #expect(error.errorDescription?.isEmpty == false && error.recoverySuggestion?.isEmpty == false)
                #expect(!"\(error)".contains("c4n4ry"))
            }
            #expect(bench.mock.statistics.wrongKeys == 3 * min(count, 5), "each request tries five keys at most")
        }
    }

    @Test func `a server that wants a key from who may come without one is another error`() async throws {
        try await run { bench in
            try bench.register(observer(anonymous: true))
            guard case .unauthorized? = await bench.error() as? APIKeyAuthenticationError else {
                Issue.record("not unauthorized")
                return
            }
        }
    }

    @Test func `anonymous access sends no field`() async throws {
        try await run(options: { $0.allowsAnonymousAccess = true }) { bench in
            try bench.register(observer(anonymous: true))
            #expect(try await bench.user() == "anonymous")
        }
    }

    @Test func `without a key nothing is sent`() async throws {
        try await run { bench in
            try bench.register(APIKeyAuthenticationObserver(isAPIKeyAccessOnly: true))
            guard case .missingAPIKeyCredential? = await bench.error() as? APIKeyAuthenticationError else {
                Issue.record("not missingAPIKeyCredential")
                return
            }
            #expect(bench.mock.statistics.sends["/orders"] == nil)
        }
    }

    @Test(arguments: ["key\r\nX-Injected: 1", "", "key\u{0}", " key"])
    func `RT-39 a key that a field cannot carry is refused before it is sent`(key: String) async throws {
        try await run { bench in
            try bench.register(observer(key))
            guard case .invalidArgument(let detail)? = await bench.error() as? APIKeyAuthenticationError else {
                Issue.record("not invalidArgument")
                return
            }
            #expect(!detail.contains("Injected"))
            #expect(bench.mock.statistics.sends["/orders"] == nil)
        }
    }

    @Test func `beside other methods, a status of 403 is not taken for a refused key`() async throws {
        try await run { bench in
            try bench.register(observer("wrong", only: false))
            #expect(try await bench.status() == 403)
        }
    }

    @Test func `a redirect to another server takes no key along`() async throws {
        try await run { bench in
            let options = {
                var options = MockOptions(); options.protection = "APIKeyAuthentication"; return options
            }()
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { other in
                try bench.register(observer(Self.good))
                let there = other.baseURL.appending(path: "there").absoluteString
                bench.mock.inject(.redirect(to: there), matching: .path("/away"), times: 2)
                #expect(try await bench.status("away") == 401)
                let session = SAPURLSession()
                session.register(
                    APIKeyAuthenticationObserver(
                        apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(
                            using: APIKeyAuthenticationConfig(apikeys: [Self.good])),
                        protectedURLs: [bench.mock.baseURL]))
                let (_, elsewhere) = try await session.data(from: other.baseURL.appending(path: "orders"))
                #expect((elsewhere as? HTTPURLResponse)?.statusCode == 401, "a server that is not named gets no key")
                await session.session.invalidate(cancelling: true)
            }
        }
    }

    @Test func `no description shows a key`() {
        let values: [Any] = [
            APIKeyCredential(apikeys: [Self.good]), APIKeyAuthenticationConfig(apikeys: [Self.good]),
        ]
        for value in values {
            var text = ""
            dump(value, to: &text)
            #expect(!"\(text) \(value) \(String(reflecting: value))".contains(Self.good))
        }
    }

    @Test(arguments: ["", "countersign-api-key", "käse 🧀\u{0}\n", String(repeating: "x", count: 10_000)])
    func `any text can be obfuscated and shown again`(text: String) {
        let obfuscator: any Obfuscating = Obfuscator()
        let bytes = obfuscator.obfuscate(text)
        #expect(obfuscator.deobfuscate(bytes) == text)
        #expect(text.utf8.count < 8 || bytes != Array(text.utf8))
        #expect(text.utf8.count < 8 || Obfuscator(with: "another salt").obfuscate(text) != bytes)
    }
}
