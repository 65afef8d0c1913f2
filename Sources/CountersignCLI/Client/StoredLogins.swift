import Countersign

/// Compares the stored logins, whose credentials requests would carry, with the
/// user that the command line names.
struct StoredLogins: Sendable {
    /// The values of the command line that identify a user, by name.
    let given: [String: String]
    /// The stored logins at all servers.
    let logins: [FilledProgram.Stored]

    /// Throws if the stored logins for a server are all for other users.
    ///
    /// If a server has logins for several realms, one of them must be for the
    /// user, since the realm of a request is unknown before its challenge.
    ///
    /// - Throws: ``CommandProblem``.
    func check(_ origin: Origin) throws {
        let own = logins.filter { $0.server == nil || $0.server == "\(origin)" }
        for (name, text) in given.sorted(by: { $0.key < $1.key }) {
            let stored = own.compactMap { $0.visible[name] }
            guard !stored.isEmpty, !stored.contains(text) else { continue }
            throw CommandProblem(
                "The store has a login with another '\(name)' than the command line; nothing was sent to \(origin).",
                remedy: "Sign out first with 'countersign logout', or give another store with '--store', or '--no-store'.",
                exit: CommandExit.usage)
        }
    }
}
