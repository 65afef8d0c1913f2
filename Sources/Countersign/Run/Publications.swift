#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The captured values of a document, by slot.
struct PublishedValues: Sendable {
    var values: [Int: ProgramValue]
    /// The further URLs of captures with several; see ``CompiledChallenge/furtherURLs(_:)``.
    var furtherURLs: [Int: [URL]] = [:]
}

/// The cache of what a method has fetched from servers: documents, and the keys that tokens are signed with.
final class Publications: Sendable {
    private struct Document: Hashable, Sendable {
        let document: ProgramDocument
        let places: [URL]
        /// The parameters that the document is checked with. They differ between operations that share the cache.
        let parameters: [ProgramValue]
    }

    private let documents = Shelf<Document, PublishedValues>()
    private let keys = Shelf<URL, [UInt8]>()

    /// Returns the captured values of a cached document; `nil` if it is not cached.
    ///
    /// - Parameter parameters: The parameters that the document is checked with.
    func values(
        of document: ProgramDocument, at places: [URL], for parameters: [ProgramValue], now: Duration
    ) -> PublishedValues? {
        documents.find(Document(document: document, places: places, parameters: parameters), now)
    }

    func keep(
        _ values: PublishedValues, of document: ProgramDocument, at places: [URL], for parameters: [ProgramValue], now: Duration
    ) {
        let key = Document(document: document, places: places, parameters: parameters)
        documents.keep(values, as: key, for: document.lifetime, now)
    }

    /// Removes all documents, so that they are fetched again, because their values did not lead to a response.
    func forgetDocuments() { documents.clear() }

    /// Returns the cached keys at a URL; `nil` if they are not cached.
    func keys(at place: URL, now: Duration) -> [UInt8]? { keys.find(place, now) }

    /// Caches a key set for one day, the longest time for which a withdrawn key is still accepted.
    func keep(_ set: [UInt8], at place: URL, now: Duration) { keys.keep(set, as: place, for: .seconds(86_400), now) }
}

/// A cache of values with a lifetime.
private final class Shelf<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let expiry: Duration
    }

    /// The maximum number of entries, more than any application needs.
    private let limit = 64
    private let entries = Mutex<[Key: Entry]>([:])

    func find(_ key: Key, _ now: Duration) -> Value? {
        entries.withLock { entries in entries[key].flatMap { now < $0.expiry ? $0.value : nil } }
    }

    func clear() { entries.withLock { $0 = [:] } }

    func keep(_ value: Value, as key: Key, for lifetime: Duration, _ now: Duration) {
        entries.withLock { entries in
            if entries.count >= limit { entries = entries.filter { now < $0.value.expiry } }
            if entries.count >= limit { entries = [:] }
            entries[key] = Entry(value: value, expiry: now + lifetime)
        }
    }
}
