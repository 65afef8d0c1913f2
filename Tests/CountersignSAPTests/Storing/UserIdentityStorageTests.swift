import CountersignSAP
import Foundation
import Testing

@Suite struct UserIdentityStorageTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `an identity comes back byte by byte, by the address that it is for`() throws {
        let storage = UserIdentityStorage(store: DictionaryStore())
        let orders = try url("https://orders.example/")
        let identity = Data((0...255).map { UInt8($0) })
        #expect(try storage.identity(for: orders) == nil)
        try storage.store(identity: identity, for: orders)
        #expect(try storage.identity(for: orders) == identity)
        #expect(try storage.identity(for: url("https://other.example/")) == nil)
        try storage.delete(for: orders)
        #expect(try storage.identity(for: orders) == nil)
        try storage.delete(for: orders)
    }

    @Test func `the key is the prefix and the address, or the result of a handler`() throws {
        let store = DictionaryStore()
        let address = try url("https://a.example/")
        try UserIdentityStorage(store: store).store(identity: Data([1]), for: address)
        try UserIdentityStorage(store: store) { _ in "one for all" }.store(identity: Data([2]), for: address)
        #expect(try store.keys() == [UserIdentityStorage.keyPrefix + "https://a.example/", "one for all"])
    }

    @Test func `a subclass can keep identities elsewhere`() throws {
        final class Elsewhere: UserIdentityStorage, @unchecked Sendable {
            override func identity(for url: URL) throws -> Data? { Data(url.absoluteString.utf8) }
        }
        let storage: any UserIdentityStoring = Elsewhere(store: DictionaryStore())
        #expect(try storage.identity(for: url("https://a.example/")) == Data("https://a.example/".utf8))
    }
}
