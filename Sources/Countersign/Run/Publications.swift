#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// What servers have published and a method has fetched: documents, and the keys that tokens are signed with.
final class Publications: Sendable {
    private struct Document: Hashable, Sendable {
        let document: ProgramDocument
        let places: [URL]
        /// The parameters by which it is judged; they differ between operations that share what was fetched.
        let parameters: [ProgramValue]
    }

    private let documents = Shelf<Document, [Int: ProgramValue]>()
    private let keys = Shelf<URL, [UInt8]>()

    /// What a document says, by slot, if it is kept.
    ///
    /// - Parameter parameters: Those by which it is judged.
    func values(
        of document: ProgramDocument, at places: [URL], for parameters: [ProgramValue], now: Duration
    ) -> [Int: ProgramValue]? {
        documents.find(Document(document: document, places: places, parameters: parameters), now)
    }

    func keep(
        _ values: [Int: ProgramValue], of document: ProgramDocument, at places: [URL], for parameters: [ProgramValue], now: Duration
    ) {
        let key = Document(document: document, places: places, parameters: parameters)
        documents.keep(values, as: key, for: document.lifetime, now)
    }

    /// Has all documents fetched anew: what they say has not led to an answer.
    func forgetDocuments() { documents.clear() }

    /// The keys at an address, if they are kept.
    func keys(at place: URL, now: Duration) -> [UInt8]? { keys.find(place, now) }

    /// A key that a server has taken back is not taken for longer than this.
    func keep(_ set: [UInt8], at place: URL, now: Duration) { keys.keep(set, as: place, for: .seconds(86_400), now) }
}

/// Values that are kept for a time.
private final class Shelf<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let expiry: Duration
    }

    /// More than these are of no application.
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
