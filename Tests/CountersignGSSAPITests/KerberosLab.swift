internal import Foundation
internal import Testing

@testable @_spi(Generated) internal import CountersignGSSAPI

/// The realm LAB.TEST, whose KDC runs beside the tests (`.ci/lab-kerberos`), and a folder with the caches, the NTLM users and the
/// configuration of this process.
///
/// The library finds all of them by environment variables. These belong to the process and are set once, and the tests change
/// only the files, one test at a time.
enum KerberosLab {
    /// The folder with `krb5.conf`, `alice.keytab`, `bob.keytab`, `http.keytab` and `expired.ccache`.
    private static let folder = ProcessInfo.processInfo.environment["COUNTERSIGN_LAB_KRB"]

    static let isThere: Bool =
        folder.map { folder in
            ["krb5.conf", "alice.keytab", "bob.keytab", "http.keytab", "expired.ccache"].allSatisfy {
                FileManager.default.fileExists(atPath: "\(folder)/\($0)")
            }
        } ?? false
    static let whereToFind: Comment = """
        needs a Kerberos realm, which .ci/lab-kerberos starts; COUNTERSIGN_LAB_KRB is the folder with its keytabs
        """

    static let hasNTLM: Bool =
        isThere
        && ((try? FileManager.default.contentsOfDirectory(atPath: "/etc/gss/mech.d")) ?? []).contains { $0.contains("ntlmssp") }
    static let whereToFindNTLM: Comment = "needs COUNTERSIGN_LAB_KRB, and the mechanism of Debian's package gss-ntlmssp"

    private static let work: URL = {
        let work = FileManager.default.temporaryDirectory.appending(path: "countersign-gss-\(UUID().uuidString)")
        setenv("KRB5_CONFIG", work.appending(path: "krb5.conf").path, 1)
        setenv("KRB5CCNAME", "DIR:\(work.appending(path: "caches").path)", 1)
        setenv("KRB5_KTNAME", "FILE:\(folder ?? "")/http.keytab", 1)
        setenv("NTLM_USER_FILE", work.appending(path: "ntlm-users").path, 1)
        atexit { try? FileManager.default.removeItem(at: KerberosLab.work) }
        return work
    }()

    /// Starts a test without tickets and users, and with the KDC.
    static func reset() throws {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        try? FileManager.default.removeItem(at: work)
        try FileManager.default.createDirectory(at: work.appending(path: "caches"), withIntermediateDirectories: true)
        // Names the default cache of the collection.
        try "tkt\n".write(to: work.appending(path: "caches/primary"), atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(atPath: "\(folder)/krb5.conf", toPath: work.appending(path: "krb5.conf").path)
    }

    /// Gets a user's ticket. The default cache is `tkt`, and others of the collection have longer names.
    static func getTicket(of user: String, cache: String = "tkt") async throws {
        let folder = try #require(folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["kinit", "-k", "-t", "\(folder)/\(user).keytab", "-c", "FILE:\(path(of: cache))", user]
        process.environment = ["KRB5_CONFIG": "\(folder)/krb5.conf", "PATH": "/usr/bin:/bin"]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try #require(process.terminationStatus == 0, "kinit failed")
    }

    static func useExpiredTicket() throws {
        try FileManager.default.copyItem(atPath: "\(try #require(folder))/expired.ccache", toPath: path(of: "tkt"))
    }

    /// Adds an NTLM user for the client and the server.
    static func addNTLMUser() throws {
        try "LAB:alice:wonderland\n".write(to: work.appending(path: "ntlm-users"), atomically: true, encoding: .utf8)
    }

    /// Configures another KDC.
    static func useKDC(atPort port: Int) throws {
        let configuration = """
            [libdefaults]
             default_realm = LAB.TEST
             dns_lookup_kdc = false
             dns_canonicalize_hostname = false
             rdns = false
             udp_preference_limit = 1
            [realms]
             LAB.TEST = {
              kdc = 127.0.0.1:\(port)
             }
            [domain_realm]
             .lab.test = LAB.TEST

            """
        try configuration.write(to: work.appending(path: "krb5.conf"), atomically: true, encoding: .utf8)
    }

    private static func path(of cache: String) -> String { work.appending(path: "caches/\(cache)").path }
}
