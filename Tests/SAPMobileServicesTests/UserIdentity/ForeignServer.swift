import Countersign
import CountersignTesting
import Foundation
import TestTurns
import Testing

/// A server of another project, as a process on a port of 127.0.0.1.
struct ForeignServer {
    let port: Int
    /// The folder with its files, which is deleted with it.
    let folder: URL

    /// Runs `openssl s_server`, which demands a certificate and answers `GET /orders` with a text.
    static func withOpenSSL(
        _ authority: MockCertificateAuthority, version: String, _ body: (ForeignServer) async throws -> Void
    ) async throws {
        let folder = try makeFolder(authority)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nopenssl".utf8).write(
            to: folder.appending(path: "orders"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-CAfile", "ca.pem",
            "-Verify",
            "1", "-verify_return_error", "-HTTP", version,
        ]
        process.currentDirectoryURL = folder
        let output = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, output, FileHandle.nullDevice
        )
        try process.run()
        // Not SIGTERM: a child inherits the signal mask of the thread that starts it, and Dispatch blocks SIGTERM on its own
        // threads. nginx unblocks it, but OpenSSL does not, and would outlive the tests.
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let port = try #require(Self.port(from: output.fileHandleForReading), "s_server did not say where it listens")
        // Further output must not fill the pipe.
        output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
        try await body(ForeignServer(port: port, folder: folder))
    }

    /// Runs nginx, which demands a certificate with its page of status code 400, and logs the connection of each request.
    static func withNginx(_ authority: MockCertificateAuthority, _ body: (ForeignServer) async throws -> Void) async throws {
        let folder = try makeFolder(authority)
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try ForeignProgram.freePort()
        let configuration = """
            daemon off; pid \(folder.path)/nginx.pid; error_log \(folder.path)/error.log;
            events { worker_connections 512; }
            http {
                log_format connections '$connection $ssl_client_verify $status';
                access_log \(folder.path)/access.log connections;
                keepalive_requests 100000;
                client_body_temp_path \(folder.path); proxy_temp_path \(folder.path); fastcgi_temp_path \(folder.path);
                uwsgi_temp_path \(folder.path); scgi_temp_path \(folder.path);
                server {
                    listen 127.0.0.1:\(port) ssl; server_name localhost;
                    ssl_certificate \(folder.path)/server.pem; ssl_certificate_key \(folder.path)/server.key;
                    ssl_client_certificate \(folder.path)/ca.pem; ssl_verify_client on;
                    location / { default_type text/plain; return 200 $ssl_client_s_dn; }
                }
            }
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "nginx", "-c", folder.appending(path: "nginx.conf").path, "-e", folder.appending(path: "error.log").path,
        ]
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"]
        (process.standardInput, process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
        )
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        while process.isRunning, !FileManager.default.fileExists(atPath: folder.appending(path: "nginx.pid").path) {
            await Task.yield()
        }
        try #require(
            process.isRunning,
            "nginx ended: \((try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)) ?? "")")
        try await body(ForeignServer(port: port, folder: folder))
    }

    func url(_ path: String) throws -> URL { try #require(URL(string: "https://localhost:\(port)/\(path)")) }

    /// Returns the nginx connections of the requests with such a verdict on the certificate.
    func connections(_ verdict: String) throws -> Set<String> {
        let log = try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        return Set(
            log.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0[1].hasPrefix(verdict) }.map { String($0[0]) })
    }

    private static func makeFolder(_ authority: MockCertificateAuthority) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let credential = try authority.serverCredential()
        try Data(authority.pem).write(to: folder.appending(path: "ca.pem"))
        try Data(credential.certificate).write(to: folder.appending(path: "server.pem"))
        try Data(credential.key.bytes).write(to: folder.appending(path: "server.key"))
        return folder
    }

    /// Reads up to the line `ACCEPT 127.0.0.1:PORT`.
    private static func port(from output: FileHandle) -> Int? {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { return nil }
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)\n/) { return Int(match.1) }
        }
    }
}
