import Countersign
import CountersignFileStore
import Foundation

/// Where the command keeps what the logins of one profile have brought: encrypted files in a folder of its own.
struct ClientStore: Sendable {
    let files: EncryptedFileStore
    private let profile: String

    /// - Parameter folder: `nil` for the usual one.
    /// - Throws: ``CommandProblem`` if the key's file has none.
    init(profile: Profile, folder: URL?) throws {
        let folder = folder ?? Self.folder().appending(path: Self.fileName(of: profile.name))
        files = EncryptedFileStore(folder: folder, key: try OnboardStore.key(file: profile.keyFile, folder: folder))
        self.profile = profile.name
    }

    static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        OnboardStore.defaultFolder(environment).deletingLastPathComponent().appending(path: "profiles")
    }

    /// A name that is one component of a path.
    private static func fileName(of profile: String) -> String {
        profile.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? "profile"
    }

    // MARK: The session's cookies

    private var key: CredentialKey { CredentialKey("Countersign cookies\n\(profile)") }

    /// The cookies that a login has left in the session's jar.
    ///
    /// - Throws: `CredentialStoreError`.
    func cookies() async throws -> [Cookie] { Self.cookies(in: try await files.read(key)) }

    private static func cookies(in stored: StoredCredential?) -> [Cookie] {
        let found = stored.flatMap { try? JSONDecoder().decode([StoredCookie].self, from: Data($0.secret.bytes)) }
        return found?.map(\.cookie) ?? []
    }

    /// Keeps what a command has changed of the cookies; what other commands changed meanwhile stays.
    ///
    /// - Throws: `CredentialStoreError`.
    func keep(_ jar: CookieJar.Snapshot, since before: CookieJar.Snapshot) async throws {
        while try await !hasKept(jar, since: before) {}
    }

    /// - Returns: `false` if another process was first.
    private func hasKept(_ jar: CookieJar.Snapshot, since before: CookieJar.Snapshot) async throws -> Bool {
        let found = try await files.read(key)
        let merged = CookieJar()
        for cookie in Self.cookies(in: found) { merged.set(cookie) }
        merged.adopt(jar, since: before)
        guard !merged.all.isEmpty else {
            try await files.discard(key)
            return true
        }
        let secret = SecretBytes(try JSONEncoder().encode(merged.all.map(StoredCookie.init)))
        do throws(CredentialStoreError) {
            try await files.write(secret, for: key, replacing: found?.version)
            return true
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
    }

    /// Deletes them, also where they cannot be read.
    ///
    /// - Throws: `CredentialStoreError`.
    func discardCookies() async throws(CredentialStoreError) { try await files.discard(key) }
}
