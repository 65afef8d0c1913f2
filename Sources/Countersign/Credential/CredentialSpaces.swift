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
        /// In how many folders a challenge for the space came.
        var folderCount = 0
    }

    /// A space that has a folder.
    private struct Owner {
        let place: ProtectionSpace
        let space: ManagedCredential
    }

    private var entries: [ProtectionSpace: Entry] = [:]
    /// The folders in which a challenge came, by their server, each with the space that it came for last: a request looks for few folders,
    /// however many spaces there are.
    private var owners: [Origin?: [String: Owner]] = [:]
    private var numbered: [UInt64: ManagedCredential] = [:]
    private var made: UInt64 = 0

    /// More folders of a space than this are not remembered: a request there is challenged, and answered, once more.
    private static var mostFolders: Int { 64 }
    /// More spaces than this are forgotten again, if nothing is held for them.
    private static var mostEmpty: Int { 1_000 }
    /// With so many spaces, those are looked for: twice as many as were left the last time, so that not all are looked at for each new one.
    private var mostUntilNextLook = mostEmpty

    /// All of them.
    var all: [ManagedCredential] { entries.values.map(\.space) }

    /// The space of a place, made if there is none.
    mutating func space(
        for place: ProtectionSpace, make: (ProtectionSpace, UInt64) -> ManagedCredential
    ) -> ManagedCredential {
        if let entry = entries[place] { return entry.space }
        if entries.count >= mostUntilNextLook {
            entries = entries.filter { !$0.value.space.isIdle }
            owners = owners.mapValues { $0.filter { entries[$0.value.place] != nil } }.filter { !$0.value.isEmpty }
            numbered = Dictionary(uniqueKeysWithValues: entries.values.map { ($0.space.number, $0.space) })
            mostUntilNextLook = max(Self.mostEmpty, entries.count * 2)
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
    /// - Parameter address: The address, whose path is made only where folders have to be compared with it.
    func space(covering address: LazyURL, at origin: Origin) -> ManagedCredential? {
        guard !owners.isEmpty else { return nil }
        var path: String?
        var best: (length: Int, space: ManagedCredential)?
        for server in [origin, nil] {
            guard let folders = owners[server] else { continue }
            // Of a folder for all addresses, none has to be made.
            let isWhole = folders.count == 1 && folders["/"] != nil
            if path == nil, !isWhole { path = address.path }
            guard let folder = isWhole ? "/" : path.flatMap({ Self.longest(of: folders, holding: $0) }),
                folder.utf8.count > best?.length ?? -1, let owner = folders[folder]
            else { continue }
            best = (folder.utf8.count, owner.space)
        }
        return best?.space
    }

    /// The longest folder that holds a path.
    private static func longest(of folders: [String: Owner], holding path: String) -> String? {
        // Either all folders are compared or all that the path is in, whichever are fewer.
        guard folders.count > path.utf8.count(where: { $0 == UInt8(ascii: "/") }) else {
            return folders.keys.filter { $0 == "/" || path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
        }
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            let folder = String(rest[...slash])
            if folders[folder] != nil { return folder }
            rest = rest[..<slash]
        }
        return folders["/"] == nil ? nil : "/"
    }

    /// The space of a place, if a challenge for it was the last one that came in a folder.
    func space(of place: ProtectionSpace, owning folder: String) -> ManagedCredential? {
        guard let owner = owners[place.server]?[folder], owner.place == place else { return nil }
        return owner.space
    }

    /// Remembers that a challenge for a place came in a folder.
    mutating func note(folder: String, belongsTo place: ProtectionSpace) {
        let owner = owners[place.server]?[folder]?.place
        guard owner != place else { return }
        // What the server says last of a folder holds.
        if let owner {
            owners[place.server]?[folder] = nil
            entries[owner]?.folderCount -= 1
        }
        guard let entry = entries[place], entry.folderCount < Self.mostFolders else { return }
        entries[place]?.folderCount += 1
        owners[place.server, default: [:]][folder] = Owner(place: place, space: entry.space)
    }

    /// The path up to its last slash.
    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/"
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
