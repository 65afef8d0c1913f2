/// A protection space of a method (RFC 9110, section 11.5): one or more servers, and the values by which the method separates
/// credentials.
struct ProtectionSpace: Hashable, Sendable {
    /// The server; `nil` for all that may receive the credential.
    let server: Origin?
    /// The values of ``CredentialShape/separators``; `nil` for an absent one.
    let separators: [String?]
    /// The exchange that alone uses the credential; `nil` if others use it too.
    var exchange: ExchangeNumber?
}

/// The spaces of an observer, and the addresses that belong to each (RFC 7617, section 2.2).
struct CredentialSpaces {
    private struct Entry {
        let space: ManagedCredential
        /// The number of folders in which a challenge for the space was received.
        var folderCount = 0
    }

    /// The space of a folder.
    private struct Owner {
        let place: ProtectionSpace
        let space: ManagedCredential
    }

    private var entries: [ProtectionSpace: Entry] = [:]
    /// The folders in which a challenge was received, by server, each with the space of its last challenge. A request compares
    /// few folders, regardless of the number of spaces.
    private var owners: [Origin?: [String: Owner]] = [:]
    private var numbered: [UInt64: ManagedCredential] = [:]
    private var made: UInt64 = 0

    /// The maximum number of remembered folders of a space. A request to another folder is challenged again, and the challenge is
    /// answered.
    private static var mostFolders: Int { 64 }
    /// The number of spaces above which idle ones are dropped.
    private static var mostEmpty: Int { 1_000 }
    /// The number of spaces at which idle ones are searched next: twice the number that remained the last time, so that not all
    /// spaces are examined for each new one.
    private var mostUntilNextLook = mostEmpty

    /// All spaces.
    var all: [ManagedCredential] { entries.values.map(\.space) }

    /// Returns the space of a place, and creates it if necessary.
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

    /// Removes and returns a space, which no folder belongs to; `nil` if there is none.
    mutating func remove(_ place: ProtectionSpace) -> ManagedCredential? {
        guard let space = entries.removeValue(forKey: place)?.space else { return nil }
        numbered[space.number] = nil
        return space
    }

    /// Returns the space of a place; `nil` if there is none.
    func space(of place: ProtectionSpace) -> ManagedCredential? { entries[place]?.space }

    /// Returns the space whose credential an exchange carried.
    func space(of carried: Generation) -> ManagedCredential? { numbered[carried.spaceNumber] }

    /// Returns the space with the longest folder that contains an address.
    ///
    /// - Parameter address: The address. Its path is created only if folders have to be compared with it.
    func space(covering address: LazyURL, at origin: Origin) -> ManagedCredential? {
        guard !owners.isEmpty else { return nil }
        var path: String?
        var best: (length: Int, space: ManagedCredential)?
        for server in [origin, nil] {
            guard let folders = owners[server] else { continue }
            // If the only folder is the root, the path is not needed.
            let isWhole = folders.count == 1 && folders["/"] != nil
            if path == nil, !isWhole { path = address.path }
            guard let folder = isWhole ? "/" : path.flatMap({ Self.longest(of: folders, holding: $0) }),
                folder.utf8.count > best?.length ?? -1, let owner = folders[folder]
            else { continue }
            best = (folder.utf8.count, owner.space)
        }
        return best?.space
    }

    /// Returns the longest folder that contains a path.
    private static func longest(of folders: [String: Owner], holding path: String) -> String? {
        // Compares either all known folders or all folders of the path, whichever are fewer.
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

    /// Returns the space of a place, if the last challenge in a folder was for it.
    func space(of place: ProtectionSpace, owning folder: String) -> ManagedCredential? {
        guard let owner = owners[place.server]?[folder], owner.place == place else { return nil }
        return owner.space
    }

    /// Records that a challenge for a place was received in a folder.
    mutating func note(folder: String, belongsTo place: ProtectionSpace) {
        let owner = owners[place.server]?[folder]?.place
        guard owner != place else { return }
        // The last challenge in a folder determines its space.
        if let owner {
            owners[place.server]?[folder] = nil
            entries[owner]?.folderCount -= 1
        }
        guard let entry = entries[place], entry.folderCount < Self.mostFolders else { return }
        entries[place]?.folderCount += 1
        owners[place.server, default: [:]][folder] = Owner(place: place, space: entry.space)
    }

    /// Returns a path up to its last slash.
    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/"
    }
}

extension Generation {
    /// Returns the generation as an exchange carries it, which is unique among all spaces of an observer.
    ///
    /// - Parameter number: The space's number, from 1 on.
    func carried(ofSpace number: UInt64) -> Generation { Generation(number << 32 | self.number) }

    /// The number of the space of a generation that an exchange carried; 0 for none.
    var spaceNumber: UInt64 { number >> 32 }

    /// Returns the generation of a space that an exchange carried; `nil` if the exchange carried none, or one of another space.
    func own(ofSpace number: UInt64) -> Generation? {
        spaceNumber == number ? Generation(self.number & 0xFFFF_FFFF) : nil
    }
}
