import Countersign
import CountersignTesting
import Foundation
import Synchronization
import Testing

/// `openssl ca` in a folder, with the key of a mock authority after ``take(over:)``.
final class OpenSSLAuthority: Sendable {
    private let folder: URL

    init(in folder: URL) throws {
        self.folder = folder
        let configuration = """
            [ca]
            default_ca = here
            [here]
            dir = .
            database = index.txt
            new_certs_dir = .
            certificate = ca.pem
            private_key = ca.key
            rand_serial = yes
            default_md = sha256
            default_days = 1
            policy = anything
            copy_extensions = copy
            x509_extensions = client
            [anything]
            commonName = supplied
            organizationName = optional
            organizationalUnitName = optional
            [client]
            basicConstraints = critical, CA:false
            extendedKeyUsage = clientAuth
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "ca.cnf"))
        try Data().write(to: folder.appending(path: "index.txt"))
    }

    /// Signs with this authority's key and name from now on.
    func take(over authority: MockCertificateAuthority) throws {
        try Data(authority.pem).write(to: folder.appending(path: "ca.pem"))
        try Data(authority.keyPEM.bytes).write(to: folder.appending(path: "ca.key"))
    }

    /// Signs a certificate request.
    func sign(_ request: [UInt8]) throws -> [[UInt8]] {
        try Data(request).write(to: folder.appending(path: "request.der"))
        _ = try run("req", "-inform", "DER", "-in", "request.der", "-out", "request.pem")
        _ = try run(
            "ca", "-batch", "-config", "ca.cnf", "-in", "request.pem", "-out", "certificate.pem", "-notext", "-preserveDN")
        _ = try run("x509", "-in", "certificate.pem", "-outform", "DER", "-out", "certificate.der")
        _ = try run("x509", "-in", "ca.pem", "-outform", "DER", "-out", "ca.der")
        return try ["certificate.der", "ca.der"].map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// Returns the output of a command for a file.
    func text(of file: String, _ arguments: String...) throws -> String {
        try run([arguments[0], "-in", file] + arguments.dropFirst())
    }

    private func run(_ arguments: String...) throws -> String { try run(arguments) }

    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " ")): \(text)")
        return text
    }
}
