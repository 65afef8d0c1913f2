import Countersign
import CountersignFileStore
import Foundation

/// The store of the command: encrypted files, whose key is stored elsewhere.
enum OnboardStore {
    /// Returns the default folder.
    static func defaultFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        let base = data ?? HomeFolder.url(environment).appending(path: ".local/share")
        return base.appending(path: "countersign/onboarding")
    }

    /// Returns the key in a file, or the key source of the system.
    ///
    /// - Throws: ``CommandProblem`` if the file has no key, is in the folder that it encrypts, or can be read by others.
    static func key(file path: String?, folder: URL) throws -> any StoreKeySource {
        guard let path else {
            #if canImport(Security)
            return KeychainKeySource(service: "countersign", account: folder.path, keychain: .login)
            #else
            return SecretServiceKeySource(
                service: "countersign", account: folder.path, label: "Countersign: key of \(folder.lastPathComponent)")
            #endif
        }
        let file = URL(filePath: path).standardizedFileURL
        // A symbolic link has neither the place nor the permissions of its target.
        let target = file.resolvingSymlinksInPath()
        let isInside = [(file, folder.standardizedFileURL), (target, folder.standardizedFileURL.resolvingSymlinksInPath())]
            .contains { key, folder in key.path.hasPrefix(folder.path + "/") }
        guard !isInside else {
            throw CommandProblem("The key file must not be in the folder that it encrypts.", exit: CommandExit.badData)
        }
        guard let data = WholeFile.bytes(atPath: file.path) else {
            throw CommandProblem("The key file cannot be read: \(path).", exit: CommandExit.noInput)
        }
        // A pipe of a shell has no path of its own; its link has the permissions.
        let permissions = [target.path, file.path].lazy.compactMap { path in
            (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber
        }.first
        guard let permissions, permissions.intValue & 0o077 == 0 else {
            throw CommandProblem("The key file can be read by others: set its permissions to 600.", exit: CommandExit.badData)
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let key = StoreKey(bytes: data) ?? Data(base64Encoded: text).flatMap({ StoreKey(bytes: $0) }) else {
            throw CommandProblem(
                "The key file does not contain a key: 32 random bytes, raw or in Base64 (openssl rand -base64 32).",
                exit: CommandExit.badData)
        }
        return key
    }
}
