import Countersign
import CountersignFileStore
import Foundation

/// The store for the credentials and cookies of one profile: encrypted files in a separate folder.
struct ClientStore: Sendable {
    let files: EncryptedFileStore
    private let profile: String

    /// - Parameter folder: `nil` for the default folder.
    /// - Throws: ``CommandProblem`` if the key file contains no key.
    init(profile: Profile, folder: URL?) throws {
        let folder = folder ?? Self.folder().appending(path: Self.fileName(of: profile.name))
        files = EncryptedFileStore(folder: folder, key: try OnboardStore.key(file: profile.keyFile, folder: folder))
        self.profile = profile.name
    }

    static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        OnboardStore.defaultFolder(environment).deletingLastPathComponent().appending(path: "profiles")
    }

    /// Returns the name as a single component of a path.
    private static func fileName(of profile: String) -> String {
        profile.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? "profile"
    }

    // MARK: The session's cookies

    private var key: CredentialKey { CredentialKey("Countersign cookies\n\(profile)") }

    /// Returns the stored cookies of the session's jar.
    ///
    /// - Throws: `CredentialStoreError`.
    func cookies() async throws -> [Cookie] { Self.cookies(in: try await files.read(key)) }

    private static func cookies(in stored: StoredCredential?) -> [Cookie] {
        let found = stored.flatMap { try? JSONDecoder().decode([StoredCookie].self, from: Data($0.secret.bytes)) }
        return found?.map(\.cookie) ?? []
    }

    /// Saves the changes of a command to the cookies, and preserves the changes that other commands have made meanwhile.
    ///
    /// - Throws: `CredentialStoreError`.
    func keep(_ jar: CookieJar.Snapshot, since before: CookieJar.Snapshot) async throws {
        while try await !hasKept(jar, since: before) {}
    }

    /// - Returns: `false` if another process has changed the store meanwhile.
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

    /// Deletes the cookies, even if they cannot be read.
    ///
    /// - Throws: `CredentialStoreError`.
    func discardCookies() async throws(CredentialStoreError) { try await files.discard(key) }
}
