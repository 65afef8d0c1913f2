import CountersignSAP
import Foundation
import Testing

@Suite struct CredentialCodableStoreTests {
    private let credentials = MemoryCredentialStore()

    @Test func `values come back, are replaced and forgotten, and their keys are known`() throws {
        let store = CredentialCodableStore(credentials)
        #expect(try store.get(String.self, for: "a") == nil)
        try store.put("text", for: "a")
        try store.put(["b": 1], for: "b")
        try store.put("other", for: "a")
        #expect(try CredentialCodableStore(credentials).get(String.self, for: "a") == "other")
        #expect(try store.get([String: Int].self, for: "b") == ["b": 1])
        #expect(try store.keys() == ["a", "b"])
        try store.remove(for: "a")
        try store.remove(for: "never there")
        #expect(try store.get(String.self, for: "a") == nil)
        #expect(try store.keys() == ["b"])
    }

    @Test func `names keep their values apart`() throws {
        let first = CredentialCodableStore(credentials, name: "first")
        let second = CredentialCodableStore(credentials, name: "second")
        try first.put(1, for: "key")
        #expect(try second.get(Int.self, for: "key") == nil)
        #expect(try second.keys().isEmpty)
    }

    @Test func `a value of another kind is an error that quotes nothing`() throws {
        let store = CredentialCodableStore(credentials)
        try store.put("c4n4ry", for: "key")
        let error = #expect(throws: CredentialStoreError.self) { try store.get(Int.self, for: "key") }
        #expect(error?.code == .foreign)
        #expect(error.map { everything(of: $0).contains("c4n4ry") } == false)
        #expect(!everything(of: store).contains("c4n4ry"))
    }

    @Test func `tokens can be kept in it`() throws {
        let url = try #require(URL(string: "https://app.example/"))
        let token = OAuth2Token(accessToken: "a", tokenType: "Bearer", expiryDate: Date(timeIntervalSince1970: 7))
        try OAuth2TokenStorage(store: CredentialCodableStore(credentials)).store(token: token, for: url)
        #expect(try OAuth2TokenStorage(store: CredentialCodableStore(credentials)).token(for: url) == token)
    }
}
