package import Foundation
import Synchronization
import Testing

/// A program of another project, which runs for a test.
package final class ForeignProgram: Sendable {
    private let process: Process

    /// Starts a program by its name.
    ///
    /// - Parameter log: The file for its output.
    package init(_ arguments: [String], log: URL? = nil) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"]
        var output = FileHandle.nullDevice
        if let log {
            if !FileManager.default.fileExists(atPath: log.path) {
                _ = FileManager.default.createFile(atPath: log.path, contents: nil)
            }
            output = try FileHandle(forWritingTo: log)
            try output.seekToEnd()
        }
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
        try process.run()
    }

    deinit { kill() }

    package var isRunning: Bool { process.isRunning }

    package func signal(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

    /// Ends the program, and waits for its end.
    ///
    /// Not with SIGTERM: a child inherits the signal mask of the thread that starts it, and Dispatch blocks SIGTERM on its own
    /// threads.
    package func kill() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    /// Whether a program is installed. In CI tests also run without it, and fail.
    package static func isInstalled(_ program: String) -> Bool {
        if ProcessInfo.processInfo.environment["CI"] != nil { return true }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Runs a program and waits for its end.
    ///
    /// - Returns: The output of the program.
    package static func output(of arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try process.run()
                        let data = try output.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        let text = String(decoding: data, as: UTF8.self)
                        try #require(
                            process.terminationStatus == 0, "\(arguments) ended with \(process.terminationStatus): \(text)")
                        return text
                    })
            }
        }
    }

    private struct NoFreePort: Error {}

    /// The ports that ``freePort()`` has tried in this process.
    private static let tried = Mutex<Set<Int>>([])

    /// Returns a free port, for programs that do not choose one themselves.
    ///
    /// The system chooses ports from 32768 on for connections, and for servers that leave the choice to it. The port is a smaller
    /// one, and no other call returns it, so it is still free when the program listens.
    package static func freePort() throws -> Int {
        for _ in 0..<1_000 {
            let port = Int.random(in: 20_000..<32_000)
            guard tried.withLock({ $0.insert(port).inserted }) else { continue }
            let socket = socket(AF_INET, streamKind, 0)
            defer { close(socket) }
            if binds(socket, to: port) { return port }
        }
        throw NoFreePort()
    }

    /// Whether a program listens on a port.
    package static func isListening(_ port: Int, at host: String = "127.0.0.1") -> Bool {
        let socket = socket(AF_INET, streamKind, 0)
        defer { close(socket) }
        var address = loopback(port: port)
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Listens on a port of 127.0.0.1, without ever accepting a connection.
    ///
    /// - Returns: The socket, which the caller closes.
    package static func listen(on port: Int) throws -> Int32 {
        let socket = socket(AF_INET, streamKind, 0)
        let isBound = binds(socket, to: port)
        try #require(isBound && Foundation.listen(socket, 16) == 0)
        return socket
    }

    /// Binds a socket to a port of 127.0.0.1, and returns whether that has succeeded.
    private static func binds(_ socket: Int32, to port: Int) -> Bool {
        var address = loopback(port: port)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static var streamKind: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
