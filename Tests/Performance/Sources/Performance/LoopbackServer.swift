import Foundation

/// nginx on loopback: small responses, files, and request bodies that it discards, over HTTP/1.1 and over TLS with either version
/// of HTTP.
///
/// It answers a request when it has read the whole body, as an application does. Where nginx answers by itself, it does so after
/// the head, and then reads the body 4 KiB at a time. The next request would wait for that, and nginx would determine the time of
/// both.
///
/// It is a separate process, so that its cost is not counted with that of the clients.
struct LoopbackServer: Sendable {
    /// The protocols of the server.
    enum Version: String, Sendable, CaseIterable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2, TLS"
    }

    /// The body of a small response.
    static let smallAnswer = #"{"value":[{"ID":"1","name":"one"},{"ID":"2","name":"two"}],"count":2,"next":null}"#

    /// The folder with the server's files, its certificate among them.
    let folder: URL
    private let ports: [Version: Int]
    private let process: Process

    var certificate: URL { folder.appending(path: "certificate.pem") }

    /// Starts the server on random ports.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "countersign-performance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let first = Int.random(in: 20_000..<30_000)
        ports = [.http1: first, .http2: first + 1]
        for (name, size) in [("1m", 1 << 20), ("64m", 64 << 20), ("1g", 1 << 30)] {
            // The content does not matter, and a sparse file takes no space.
            let file = folder.appending(path: name)
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
        }
        try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder.appending(path: "key.pem").path(),
                "-out", folder.appending(path: "certificate.pem").path(),
            ])
        let configuration = """
            daemon off;
            worker_processes 1;
            pid \(folder.path())/nginx.pid;
            error_log stderr error;
            events { worker_connections 4096; }
            http {
                access_log off;
                default_type application/octet-stream;
                keepalive_requests 100000000;
                keepalive_timeout 600s;
                http2_max_concurrent_streams 1024;
                client_max_body_size 0;
                sendfile on;
                tcp_nodelay on;
                client_body_temp_path \(folder.path())/body;
                proxy_temp_path \(folder.path())/proxy;
                fastcgi_temp_path \(folder.path())/fastcgi;
                uwsgi_temp_path \(folder.path())/uwsgi;
                scgi_temp_path \(folder.path())/scgi;
                upstream answer {
                    server 127.0.0.1:\(first + 2);
                    keepalive 64;
                }
                server {
                    listen 127.0.0.1:\(first + 2);
                    location / { return 200 'ok'; }
                }
                server {
                    listen 127.0.0.1:\(first);
                    listen 127.0.0.1:\(first + 1) ssl http2;
                    server_name localhost;
                    ssl_certificate \(folder.path())/certificate.pem;
                    ssl_certificate_key \(folder.path())/key.pem;
                    root \(folder.path());
                    location /small { return 200 '\(Self.smallAnswer)'; }
                    location /taken {
                        client_body_buffer_size 65m;
                        proxy_pass_request_body off;
                        proxy_set_header Content-Length "";
                        proxy_set_header Connection "";
                        proxy_http_version 1.1;
                        proxy_pass http://answer/;
                    }
                }
            }
            """
        let file = folder.appending(path: "nginx.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(filePath: try Tool.path(of: "nginx"))
        process.arguments = ["-c", file.path(), "-e", "stderr"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<100 where !FileManager.default.fileExists(atPath: folder.appending(path: "nginx.pid").path()) {
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    func url(_ path: String, over version: Version) -> String {
        let scheme = version == .http1 ? "http" : "https"
        return "\(scheme)://127.0.0.1:\(ports[version] ?? 0)/\(path)"
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A program that is installed on the machine.
enum Tool {
    /// - Parameter program: The name or path of the program.
    static func path(of program: String) throws -> String {
        if program.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: program) { return program }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin"]
        guard let found = folders.map({ "\($0)/\(program)" }).first(where: FileManager.default.isExecutableFile) else {
            throw PerformanceError("\(program) is not installed")
        }
        return found
    }

    /// Runs a program and waits for its end.
    ///
    /// - Returns: The standard output and standard error of the program.
    @discardableResult static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: try path(of: program))
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PerformanceError("\(program) ended with \(process.terminationStatus): \(output.suffix(500))")
        }
        return output
    }
}

/// The reason why nothing was measured.
struct PerformanceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
