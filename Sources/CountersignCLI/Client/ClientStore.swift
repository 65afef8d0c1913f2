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

    private var cookies: CredentialKey { CredentialKey("Countersign cookies\n\(profile)") }

    /// The cookies that a login has left in the session's jar.
    ///
    /// - Throws: `CredentialStoreError`.
    func loadCookies() async throws -> [Cookie] {
        guard let stored = try await files.read(cookies),
            let found = try? JSONDecoder().decode([StoredCookie].self, from: Data(stored.secret.bytes))
        else { return [] }
        return found.map(\.cookie)
    }

    /// Keeps cookies in place of those that are there.
    ///
    /// - Throws: `CredentialStoreError`.
    func save(_ jar: [Cookie]) async throws {
        guard !jar.isEmpty else { return try await files.discard(cookies) }
        let secret = SecretBytes(try JSONEncoder().encode(jar.map(StoredCookie.init)))
        while try await !isKept(secret) {}
    }

    /// - Returns: `false` if another process was first.
    private func isKept(_ secret: SecretBytes) async throws(CredentialStoreError) -> Bool {
        let found = try await files.read(cookies)
        do throws(CredentialStoreError) {
            try await files.write(secret, for: cookies, replacing: found?.version)
            return true
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
    }
}
