import CountersignSAP
import Foundation
import Testing

@Suite struct BasicCredentialStorageTests {
    private let credential = BasicCredential(username: "Aladdin", password: "open sesame")

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a credential comes back as it was, by the address that it is for`() throws {
        let storage = BasicCredentialStorage(store: DictionaryStore())
        let orders = try url("https://orders.example/")
        #expect(try storage.credential(for: orders) == nil)
        try storage.store(credential: credential, for: orders)
        #expect(try storage.credential(for: orders) == credential)
        #expect(try storage.credential(for: url("https://other.example/")) == nil)
        try storage.delete(for: orders)
        #expect(try storage.credential(for: orders) == nil)
        try storage.delete(for: orders)
    }

    @Test func `the key is the prefix and the address, or the result of a handler`() throws {
        let store = DictionaryStore()
        let storage = BasicCredentialStorage(store: store)
        try storage.store(credential: credential, for: url("https://a.example/x"))
        #expect(try store.keys() == [BasicCredentialStorage.key(for: url("https://a.example/x"))])
        #expect(try store.keys() == [BasicCredentialStorage.keyPrefix + "https://a.example/x"])

        storage.keyHandler = { $0.host() ?? "" }
        #expect(try storage.credential(for: url("https://a.example/x")) == nil)
        try storage.store(credential: credential, for: url("https://a.example/y"))
        #expect(try storage.credential(for: url("https://a.example/z")) == credential)
    }

    @Test func `clearing takes all credentials and nothing of the other storages`() throws {
        let store = DictionaryStore()
        let address = try url("https://a.example/")
        let credentials = BasicCredentialStorage(store: store)
        let identities = UserIdentityStorage(store: store)
        let tokens = OAuth2TokenStorage(store: store)
        try credentials.store(credential: credential, for: address)
        try credentials.store(credential: credential, for: url("https://b.example/"))
        try identities.store(identity: Data([1]), for: address)
        try tokens.store(token: OAuth2Token(accessToken: "a", tokenType: "Bearer"), for: address)
        credentials.clear()
        #expect(try store.keys() == [UserIdentityStorage.key(for: address), OAuth2TokenStorage.key(for: address)])
        identities.clear()
        #expect(try store.keys() == [OAuth2TokenStorage.key(for: address)])
    }

    @Test func `what a store throws is thrown, and another store can take its place`() throws {
        let store = DictionaryStore()
        store.isBroken = true
        let storage = BasicCredentialStorage(store: store)
        #expect(throws: DictionaryStore.Broken.self) { try storage.credential(for: url("https://a.example/")) }
        storage.clear()
        storage.store = DictionaryStore()
        #expect(try storage.credential(for: url("https://a.example/")) == nil)
    }

    @Test func `nothing that prints a credential prints the name or the password`() throws {
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), "\([credential])", dumped] {
            #expect(!text.contains("Aladdin"))
            #expect(!text.contains("sesame"))
        }
        #expect("\(credential)" == "BasicCredential(credential: <redacted>)")
    }

    @Test func `a credential that was encoded is read again, under the names of its parts`() throws {
        let data = try JSONEncoder().encode(credential)
        #expect(try JSONDecoder().decode([String: String].self, from: data) == ["username": "Aladdin", "password": "open sesame"])
        #expect(try JSONDecoder().decode(BasicCredential.self, from: data) == credential)
    }
}
