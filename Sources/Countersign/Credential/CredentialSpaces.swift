#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A protection space of a method (RFC 9110, section 11.5): a server or several, and what the method keeps credentials apart by.
struct ProtectionSpace: Hashable, Sendable {
    /// The server; `nil` for all that may receive the credential.
    let server: Origin?
    /// The values of ``CredentialShape/separators``; `nil` where one is absent.
    let separators: [String?]
}

/// The spaces that an observer knows, and which addresses belong to each (RFC 7617, section 2.2).
struct CredentialSpaces {
    private struct Entry {
        let space: ManagedCredential
        /// The folders in which a challenge for the space came.
        var folders: [String] = []
    }

    private var entries: [ProtectionSpace: Entry] = [:]
    private var numbered: [UInt64: ManagedCredential] = [:]
    private var made: UInt64 = 0

    /// More folders of a space than this are not remembered: a request there is challenged, and answered, once more.
    private static var mostFolders: Int { 64 }
    /// More spaces than this are forgotten again, if nothing is held for them.
    private static var mostEmpty: Int { 1_000 }

    /// All of them.
    var all: [ManagedCredential] { entries.values.map(\.space) }

    /// The space of a place, made if there is none.
    mutating func space(
        for place: ProtectionSpace, make: (ProtectionSpace, UInt64) -> ManagedCredential
    ) -> ManagedCredential {
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
    func space(of carried: Generation) -> ManagedCredential? { numbered[carried.spaceNumber] }

    /// The space with the longest folder that holds an address.
    ///
    /// - Parameter url: The address, which is made only where folders have to be compared with it.
    func space(covering url: @autoclosure () -> URL, at origin: Origin) -> ManagedCredential? {
        var path: String?
        var best: (length: Int, space: ManagedCredential)?
        for (place, entry) in entries where place.server == origin || place.server == nil {
            for folder in entry.folders where folder.utf8.count > best?.length ?? -1 {
                if folder != "/" {
                    let known = path ?? Self.path(url())
                    path = known
                    guard known.hasPrefix(folder) else { continue }
                }
                best = (folder.utf8.count, entry.space)
            }
        }
        return best?.space
    }

    /// Remembers that a challenge for a place came from an address.
    mutating func note(_ url: URL, belongsTo place: ProtectionSpace) { note(folder: Self.folder(url), belongsTo: place) }

    /// Remembers that a challenge for a place is about all addresses of its server.
    mutating func noteWhole(_ place: ProtectionSpace) { note(folder: "/", belongsTo: place) }

    private mutating func note(folder: String, belongsTo place: ProtectionSpace) {
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

extension Generation {
    /// A generation as an exchange carries it: of whichever space of an observer, it is another one than those of all others.
    ///
    /// - Parameter number: The space's number, from 1 on.
    func carried(ofSpace number: UInt64) -> Generation { Generation(number << 32 | self.number) }

    /// The number of the space that a generation which an exchange carried is of; 0 for none.
    var spaceNumber: UInt64 { number >> 32 }

    /// The generation of a space that an exchange carried; `nil` if it is one of another space, or none.
    func own(ofSpace number: UInt64) -> Generation? {
        spaceNumber == number ? Generation(self.number & 0xFFFF_FFFF) : nil
    }
}
