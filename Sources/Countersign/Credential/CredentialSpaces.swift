#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What tells the protection spaces of an observer apart (RFC 9110, section 11.5).
protocol ProtectedPlace: Hashable, Sendable {
    /// The server; `nil` for all that may receive the credential.
    var server: Origin? { get }
}

/// Holds the credential of one place.
protocol CredentialHolder: AnyObject, Sendable {
    associatedtype Place: ProtectedPlace

    var place: Place { get }
    /// Tells its generations from those of others: see ``Generation/carried(ofSpace:)``.
    var number: UInt64 { get }
    /// Whether it can be forgotten: it holds nothing, and no request waits for it.
    var isIdle: Bool { get }
}

/// The spaces that an observer knows, and which addresses belong to each (RFC 7617, section 2.2).
struct CredentialSpaces<Space: CredentialHolder> {
    private struct Entry {
        let space: Space
        /// The folders in which a challenge for the space came.
        var folders: [String] = []
    }

    private var entries: [Space.Place: Entry] = [:]
    private var numbered: [UInt64: Space] = [:]
    private var made: UInt64 = 0

    /// More folders of a space than this are not remembered: a request there is challenged, and answered, once more.
    private static var mostFolders: Int { 64 }
    /// More spaces than this are forgotten again, if nothing is held for them.
    private static var mostEmpty: Int { 1_000 }

    /// All of them.
    var all: [Space] { entries.values.map(\.space) }

    /// The space of a place, if there is one.
    func known(_ place: Space.Place) -> Space? { entries[place]?.space }

    /// The space of a place, made if there is none.
    mutating func space(
        for place: Space.Place, make: (Space.Place, UInt64) -> Space
    ) -> Space {
        if let entry = entries[place] { return entry.space }
        if entries.count >= Self.mostEmpty {
            entries = entries.filter { !$0.value.space.isIdle }
            numbered = Dictionary(uniqueKeysWithValues: entries.values.map { ($0.space.number, $0.space) })
        }
        made += 1
        let space = make(place, made)
        numbered[made] = space
        entries[place] = Entry(space: space)
        return space
    }

    /// The space whose credential an exchange carried.
    func space(of carried: Generation) -> Space? { numbered[carried.spaceNumber] }

    /// The space with the longest folder that holds an address.
    func space(covering url: URL, at origin: Origin) -> Space? {
        let path = Self.path(url)
        var best: (length: Int, space: Space)?
        for (place, entry) in entries where place.server == origin || place.server == nil {
            for folder in entry.folders where path.hasPrefix(folder) && folder.utf8.count > best?.length ?? -1 {
                best = (folder.utf8.count, entry.space)
            }
        }
        return best?.space
    }

    /// Remembers that a challenge for a place came from an address.
    mutating func note(_ url: URL, belongsTo place: Space.Place) { note(folder: Self.folder(url), belongsTo: place) }

    /// Remembers that a challenge for a place is about all addresses of its server.
    mutating func noteWhole(_ place: Space.Place) { note(folder: "/", belongsTo: place) }

    private mutating func note(folder: String, belongsTo place: Space.Place) {
        // What the server says last of a folder holds.
        for other in entries.keys where other.server == place.server && other != place {
            entries[other]?.folders.removeAll { $0 == folder }
        }
        guard let known = entries[place]?.folders, !known.contains(folder), known.count < Self.mostFolders else { return }
        entries[place]?.folders.append(folder)
    }

    /// The path up to its last slash.
    private static func folder(_ url: URL) -> String {
        let path = path(url)
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }

    private static func path(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }
}
