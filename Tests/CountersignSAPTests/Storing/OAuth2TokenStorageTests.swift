import CountersignSAP
import Foundation
import Testing

@Suite struct OAuth2TokenStorageTests {
    private let token = OAuth2Token(
        accessToken: "a", tokenType: "Bearer", expiryDate: Date(timeIntervalSince1970: 1_000), scopes: ["read"], refreshToken: "r")

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a token comes back as it was, by the address that it is for`() throws {
        let storage = OAuth2TokenStorage(store: DictionaryStore())
        let orders = try url("https://orders.example/")
        #expect(try storage.token(for: orders) == nil)
        try storage.store(token: token, for: orders)
        #expect(try storage.token(for: orders) == token)
        #expect(try storage.token(for: url("https://other.example/")) == nil)
        try storage.deleteToken(for: orders)
        #expect(try storage.token(for: orders) == nil)
        try storage.deleteToken(for: orders)
    }

    @Test func `a handler chooses the key`() throws {
        let store = DictionaryStore()
        let storage = OAuth2TokenStorage(store: store) { "mine-\($0.host() ?? "")" }
        try storage.store(token: token, for: try url("https://orders.example/"))
        #expect(try store.keys() == ["mine-orders.example"])
        #expect(
            try OAuth2TokenStorage.key(for: url("https://a.example/")) == OAuth2TokenStorage.keyPrefix + "https://a.example/")
    }

    @Test func `clearing takes all tokens and nothing else`() throws {
        let store = DictionaryStore()
        try store.put("unrelated", for: "other")
        let storage = OAuth2TokenStorage(store: store)
        try storage.store(token: token, for: try url("https://a.example/"))
        try storage.store(token: token, for: try url("https://b.example/"))
        storage.clear()
        #expect(try store.keys() == ["other"])
    }

    @Test func `clearing leaves what a handler keeps under keys of its own`() throws {
        let store = DictionaryStore()
        let storage = OAuth2TokenStorage(store: store) { "mine-\($0.host() ?? "")" }
        try storage.store(token: token, for: try url("https://a.example/"))
        storage.clear()
        #expect(try store.keys() == ["mine-a.example"])
        try storage.deleteToken(for: try url("https://a.example/"))
        #expect(try store.keys().isEmpty)
    }

    @Test func `what a store throws is thrown`() throws {
        let store = DictionaryStore()
        store.isBroken = true
        let storage = OAuth2TokenStorage(store: store)
        #expect(throws: DictionaryStore.Broken.self) { try storage.token(for: url("https://a.example/")) }
        storage.clear()
    }
}
