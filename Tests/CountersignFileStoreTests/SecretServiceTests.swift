#if os(Linux)
import Foundation
import Testing

/// A real Secret Service: GNOME Keyring on a session bus of its own, with a keyring that is gone afterwards.
@Suite(.timeLimit(.minutes(2))) struct SecretServiceTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private static let isInstalled = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"].allSatisfy { program in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Runs a shell's command line, in which `"$@"` is the other process, beside an unlocked keyring.
    private func besideKeyring(_ shell: String) -> [String] {
        let home = scratch.root.path(percentEncoded: false)
        let keyring = "printf 'a password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1"
        return ["HOME=\(home)", "XDG_RUNTIME_DIR=\(home)", "dbus-run-session", "--", "sh", "-c", "\(keyring)\n\(shell)", "sh"]
    }

    @Test(.enabled(if: isInstalled, "install dbus, gnome-keyring and libsecret-tools"))
    func `two processes make one key between them, and both read with it later`() async throws {
        let both = besideKeyring("\"$@\" & \"$@\"; wait; \"$@\"")
        let lines = try await OtherProcess("use-secret-service", "shared", in: scratch, wrapper: both).end()
        #expect(lines.sorted() == ["read", "read", "read", "written", "written", "written"])
        #expect(try scratch.names.filter { $0.hasSuffix(".credential") }.count == 3)
    }

    @Test(.enabled(if: isInstalled, "install dbus, gnome-keyring and libsecret-tools"))
    func `a key that the keyring has lost is not replaced while something needs it`() async throws {
        let forgetting = besideKeyring("\"$@\"; secret-tool clear service countersign-tests account lost; \"$@\"")
        let lines = try await OtherProcess("use-secret-service", "lost", in: scratch, wrapper: forgetting).end()
        #expect(lines == ["written", "read", "key-unavailable"])
    }

    @Test(.enabled(if: isInstalled, "install dbus, gnome-keyring and libsecret-tools"))
    func `something else in the key's place is no key`() async throws {
        let other = besideKeyring("printf rubbish | secret-tool store --label x service countersign-tests account bad; \"$@\"")
        #expect(try await OtherProcess("use-secret-service", "bad", in: scratch, wrapper: other).end() == ["key-unavailable"])
        #expect(try scratch.names.allSatisfy { $0.hasSuffix(".lock") }, "nothing is encrypted with a key that is not kept")
    }

    @Test(arguments: ["PATH=/nonexistent", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"])
    func `no tool and no service are errors, not empty keyrings`(environment: String) async throws {
        let process = try OtherProcess("use-secret-service", "none", in: scratch, wrapper: [environment])
        #expect(try await process.end() == ["key-unavailable"])
    }
}
#endif
