import CountersignSpec
import Foundation

extension ProfileFile {
    /// Requires, of a file with commands, that only the user and root can change it, as ssh does for its configuration.
    ///
    /// - Throws: ``CommandProblem`` with the location of the first command.
    func requireSafeCommands(for user: uid_t = geteuid()) throws {
        guard let command = firstCommand, let risk = FileRisk.risk(ofFile: path, for: user) else { return }
        throw Self.problem("'\(command.name)' comes from a command, and \(risk.detail)", at: command.place, remedy: risk.remedy)
    }

    /// The first value that comes from a command, and its place.
    private var firstCommand: (name: String, place: SourceLocation)? {
        var commands: [(name: String, place: SourceLocation)] = []
        for profile in profiles {
            for (name, source) in profile.values {
                guard case .command = source, let place = profile.places[.value(name)] else { continue }
                commands.append((name, place))
            }
        }
        return commands.min { $0.place < $1.place }
    }
}

/// The reason why another user can change a file, and a remedy.
private struct FileRisk {
    let detail: String
    let remedy: String

    /// Returns `nil` if only the user and root can write the file, and replace it in its folder.
    ///
    /// - Parameters:
    ///   - path: The file, or a symbolic link to it. A pipe has no risk, since only the user can write it.
    ///   - user: The user who may own and write the file, like root.
    static func risk(ofFile path: String, for user: uid_t) -> Self? {
        let link = URL(filePath: path).standardizedFileURL
        let file = link.resolvingSymlinksInPath()
        guard let state = FileState(file), state.isFile else { return nil }
        guard state.belongs(to: user) else {
            return Self(
                detail: "the file belongs to another user", remedy: "Check the commands, and use a copy that belongs to you.")
        }
        guard !state.isWritableByOthers else {
            return Self(detail: "other users can change the file", remedy: remedy(for: file))
        }
        for folder in [link.deletingLastPathComponent(), file.deletingLastPathComponent()] {
            guard let state = FileState(folder) else { continue }
            guard state.belongs(to: user) else {
                return Self(
                    detail: "the folder of the file belongs to another user",
                    remedy: "Check the commands, and move the file to a folder that belongs to you.")
            }
            // In a folder with the sticky bit, such as /tmp, other users cannot replace the file.
            guard !state.isWritableByOthers || state.isSticky else {
                return Self(detail: "other users can replace the file in its folder", remedy: remedy(for: folder))
            }
        }
        return nil
    }

    private static func remedy(for place: URL) -> String {
        "Check the commands, then run: chmod go-w \(place.path(percentEncoded: false).shellWord)"
    }
}

/// The owner and the permissions of a file or folder.
private struct FileState {
    let owner: uid_t
    let permissions: Int
    let isFile: Bool

    /// - Returns: `nil` if there is none.
    init?(_ place: URL) {
        // `fstat` cannot be used here; see `InputFile`.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: place.path(percentEncoded: false)),
            let owner = attributes[.ownerAccountID] as? NSNumber, let permissions = attributes[.posixPermissions] as? NSNumber
        else { return nil }
        self.owner = owner.uint32Value
        self.permissions = permissions.intValue
        isFile = attributes[.type] as? FileAttributeType == .typeRegular
    }

    var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    var isSticky: Bool { permissions & 0o1000 != 0 }

    func belongs(to user: uid_t) -> Bool { owner == user || owner == 0 }
}
