import Countersign
import Foundation
import Testing

@Suite struct `Token stores` {
    private let store = MemoryTokenStore()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
    private func token(_ text: String) -> OAuth2Token { OAuth2Token(accessToken: text, tokenType: "Bearer") }

    @Test(arguments: [
        "https://app.example/other?x=1#y", "https://APP.example", "https://app.example:443/", "HTTPS://app.example/a",
    ])
    func `all addresses of an origin share a token`(other: String) throws {
        try store.store(token: token("a"), for: try url("https://app.example/orders"))
        #expect(store.token(for: try url(other)) == token("a"))
    }

    @Test(arguments: [
        "http://app.example", "https://app.example:444", "https://www.app.example", "https://app.example.",
        "https://app.example.evil",
        "app:cb", "/orders",
    ])
    func `other origins have none`(other: String) throws {
        try store.store(token: token("a"), for: try url("https://app.example/orders"))
        #expect(store.token(for: try url(other)) == nil)
        store.deleteToken(for: try url(other))
        #expect(store.token(for: try url("https://app.example")) == token("a"))
    }

    @Test func `the last token counts until it is deleted, or all are`() throws {
        let (first, second) = (try url("https://a.example"), try url("https://b.example"))
        try store.store(token: token("1"), for: first)
        try store.store(token: token("2"), for: first)
        try store.store(token: token("3"), for: second)
        #expect(store.token(for: first) == token("2"))
        store.deleteToken(for: first)
        store.deleteToken(for: first)
        #expect(store.token(for: first) == nil)
        #expect(store.token(for: second) == token("3"))
        store.clear()
        #expect(store.token(for: second) == nil)
    }

    @Test(arguments: ["app:cb", "/orders", "file:///tmp/x"]) func `a token without an origin cannot be kept`(text: String) throws {
        let error = #expect(throws: CountersignError.self) { try store.store(token: token("a"), for: try url(text)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `many threads share a store`() async throws {
        let store = store
        let urls = try (0..<8).map { try url("https://h\($0).example") }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let url = urls[number % 8]
                    try? store.store(token: OAuth2Token(accessToken: url.absoluteString, tokenType: "Bearer"), for: url)
                    #expect(store.token(for: url)?.accessToken == url.absoluteString)
                }
            }
        }
    }

    /// An adopter's store with only the requirements of the protocol.
    private final class BareStore: OAuth2TokenStore {
        struct Full: Error {}
        func store(token: OAuth2Token, for url: URL) throws { throw Full() }
        func token(for url: URL) throws -> OAuth2Token? { OAuth2Token(accessToken: "kept", tokenType: "Bearer") }
        func deleteToken(for url: URL) throws {}
    }

    @Test func `clearing is optional, and does nothing by default`() throws {
        let store: any OAuth2TokenStore = BareStore()
        store.clear()
        #expect(try store.token(for: url("https://a.example"))?.accessToken == "kept")
        #expect(throws: BareStore.Full.self) { try store.store(token: token("a"), for: url("https://a.example")) }
    }
}
