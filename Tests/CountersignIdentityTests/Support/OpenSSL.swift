import Foundation
import Testing

/// The installed `openssl`, which reads what this package writes, and writes what it reads.
enum OpenSSL {
    static let whatToInstall = "there is no OpenSSL 3 here; install one, such as the package openssl"

    /// Whether the tests run. In CI they run without OpenSSL, too, and fail.
    static let isExpected: Bool = {
        let version = try? run(["version"]).text
        let isThere = version?.hasPrefix("OpenSSL 3") == true
        if !isThere { print(whatToInstall) }
        return isThere || ProcessInfo.processInfo.environment["CI"] != nil
    }()

    static func run(_ arguments: [String], files: [String: [UInt8]] = [:]) throws -> Program.Result {
        try Program.run(["openssl"] + arguments, files: files)
    }

    /// Runs a command that must succeed.
    static func output(_ arguments: [String], files: [String: [UInt8]] = [:]) throws -> [UInt8] {
        let result = try run(arguments, files: files)
        try #require(result.status == 0, "openssl \(arguments.joined(separator: " ")): \(result.errors)")
        return Array(result.output)
    }
}
