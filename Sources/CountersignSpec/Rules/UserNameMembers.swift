// The members of requests that contain the name of a user, as far as their own names show it. A body has no other mark for it: beside the
// name and the password, a login can send values that do not identify the user, such as the name of a device.

extension ResolvedProgram.Template {
    /// The text, if a member of that name contains the name of a user; otherwise `nil`.
    var userName: String? {
        guard let text = literal else { return nil }
        let letters = text.lowercased().filter { $0 != "_" && $0 != "-" }
        return ["user", "username", "userid", "loginname"].contains(letters) ? text : nil
    }

    /// The text of a template without values; `nil` for others.
    private var literal: String? {
        guard pieces.count == 1, case .text(let text) = pieces[0] else { return nil }
        return text
    }

    /// Whether a member of an object about a user contains the user's name.
    fileprivate var isUserProperty: Bool { literal == "name" || literal == "id" }
}

extension ResolvedProgram.JSON {
    /// The texts that are the name of a user, with the names of their members: `"user": "…"`, and `"user": { "name": "…" }`.
    var userNames: [(name: String, value: ResolvedProgram.Template)] {
        switch self {
        case .list(let items): items.flatMap(\.userNames)
        case .object(let members): members.flatMap(\.userNames)
        case .text, .value, .number, .flag, .null: []
        }
    }
}

extension ResolvedProgram.JSON.Member {
    fileprivate var userNames: [(name: String, value: ResolvedProgram.Template)] {
        guard let name = name.userName else { return value.userNames }
        switch value {
        case .text(let text): return [(name: name, value: text)]
        case .object(let members):
            let own = members.compactMap { member -> (name: String, value: ResolvedProgram.Template)? in
                guard member.name.isUserProperty, case .text(let text) = member.value else { return nil }
                return (name: name, value: text)
            }
            return own + value.userNames
        case .list, .value, .number, .flag, .null: return value.userNames
        }
    }
}
