import Countersign
import CountersignFileStore
import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The other process in the tests of a store that processes share.
///
/// `FileStoreContender <command> <folder> <key in hexadecimal> [argument]`. It writes its reports to standard output, one a line.
@main struct Contender {
    let store: EncryptedFileStore
    let argument: String

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let key = StoreKey(bytes: bytes(hexadecimal: arguments[3])) else { exit(64) }
        let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        let contender = Contender(store: EncryptedFileStore(folder: folder, key: key), argument: arguments[4])
        do {
            switch arguments[1] {
            case "renew": try await contender.renew()
            case "hold": try await contender.hold()
            case "write-for-ever": try await contender.writeForEver()
            case "write-large": try await contender.writeLarge()
            case "use-secret-service": try await contender.useSecretService()
            case "use-hanging-secret-service": try await contender.useSecretService(timeout: .milliseconds(100))
            case "write-as-user": try await contender.writeAsUser()
            case "use-tokens": try await contender.useTokens()
            case "use-tokens-hang-before-renewing": try await contender.useTokens(hangingAt: .renewing)
            case "use-tokens-hang-before-storing": try await contender.useTokens(hangingAt: .storing)
            default: exit(64)
            }
        } catch let error as CredentialStoreError {
            say(error.code.rawValue)
        } catch {
            say("failed: \(error)")
        }
    }

    /// Runs tasks that renew one credential until it has reached a generation, which is the `argument`.
    ///
    /// A renewal leaves a file outside the store with the name of the generation, by which a second renewal of that generation is
    /// detected.
    private func renew() async throws {
        guard let last = Int(argument) else { exit(64) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while try await renewOnce() < last {}
                }
            }
            try await group.waitForAll()
        }
    }

    private func renewOnce() async throws -> Int {
        let key: CredentialKey = "token"
        guard let seen = try await store.read(key) else { exit(65) }
        return try await store.withExclusiveLock(on: key, timeout: .seconds(60)) {
            guard let current = try await store.read(key) else { exit(65) }
            guard current.version == seen.version else { return Self.generation(current) }
            let next = Self.generation(current) + 1
            // Stands for the server, which accepts a refresh token once.
            let mark = "\(store.folder.path(percentEncoded: false))/../server/\(Self.generation(current))"
            let file = open(mark, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            Self.say(file == -1 ? "replayed \(next - 1)" : "renewed \(next)")
            close(file)
            try await store.write(SecretBytes(utf8: "canary-\(next)"), for: key, replacing: current.version)
            return next
        }
    }

    private static func generation(_ credential: StoredCredential) -> Int {
        Int(String(decoding: credential.secret.bytes, as: UTF8.self).dropFirst("canary-".count)) ?? 0
    }

    /// Acquires a lock and holds it until standard input ends. `argument`: the name of the lock.
    private func hold() async throws {
        try await store.withExclusiveLock(on: CredentialKey(argument), timeout: .seconds(30)) {
            Self.say("held")
            _ = readLine()
        }
        Self.say("released")
    }

    /// Replaces one credential repeatedly. `argument`: its size in bytes.
    private func writeForEver() async throws {
        guard let count = Int(argument) else { exit(64) }
        var version = try await store.read("token")?.version
        for round in 0... {
            let byte = UInt8(truncatingIfNeeded: round)
            version = try await store.write(SecretBytes(repeatElement(byte, count: count)), for: "token", replacing: version)
            if round == 0 { Self.say("writing") }
        }
    }

    /// Replaces a credential by 64 KiB, which exceeds a limit, and checks whether the old one still exists. `argument`: the limit
    /// in bytes, 0 for that of the disk.
    private func writeLarge() async throws {
        guard let limit = rlim_t(argument) else { exit(64) }
        let version = try await store.read("token")?.version
        if limit > 0 {
            // Otherwise the system would end the process instead of failing the call.
            signal(SIGXFSZ, SIG_IGN)
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            #else
            setrlimit(RLIMIT_FSIZE, &limits)
            #endif
        }
        do {
            try await store.write(SecretBytes(repeatElement(7, count: 64 << 10)), for: "token", replacing: version)
            Self.say("written")
        } catch {
            Self.say(error.code.rawValue)
            Self.say(try await store.read("token")?.version == version && version != nil ? "kept" : "lost")
        }
    }

    /// Writes as another user. `argument`: the user's identifier.
    private func writeAsUser() async throws {
        guard let user = uid_t(argument), setuid(user) == 0 else { exit(64) }
        let version = try await store.read("token")?.version
        Self.say(version == nil ? "found nothing" : "found one")
        try await store.write(SecretBytes(utf8: "other"), for: "token", replacing: version)
        Self.say("written")
    }

    /// Writes and reads with a key of the Secret Service, each with a new store object. `argument`: the key's account.
    private func useSecretService(timeout: Duration = .seconds(30)) async throws {
        #if os(Linux)
        let source = SecretServiceKeySource(
            service: "countersign-tests", account: argument, label: "Key of a test of Countersign", timeout: timeout)
        let key = CredentialKey("\(getpid())")
        let writer = EncryptedFileStore(folder: store.folder, key: source)
        try await writer.write(SecretBytes(utf8: "canary"), for: key, replacing: nil)
        Self.say("written")
        let reader = EncryptedFileStore(folder: store.folder, key: source)
        Self.say(try await reader.read(key)?.secret == SecretBytes(utf8: "canary") ? "read" : "lost")
        #endif
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func bytes(hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
