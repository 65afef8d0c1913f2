#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

/// The identity of a process: its identifier, which the system reuses, and its start time.
struct ProcessStamp: Sendable, Hashable {
    let identifier: pid_t
    /// The start time in system-dependent units.
    let start: UInt64

    /// Creates the stamp of a running process; `nil` if there is none with this identifier.
    init?(of identifier: pid_t) {
        guard identifier > 1, let start = Self.start(of: identifier) else { return nil }
        self.identifier = identifier
        self.start = start
    }

    /// Parses a stamp that was saved as ``text``.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let identifier = pid_t(parts[0]), identifier > 1, let start = UInt64(parts[1]) else { return nil }
        self.identifier = identifier
        self.start = start
    }

    var text: String { "\(identifier) \(start)" }

    /// Whether this process, and no other with the same identifier, is running.
    var isRunning: Bool { Self.start(of: identifier) == start }

    #if canImport(Darwin)
    private static func start(of identifier: pid_t) -> UInt64? {
        var process = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, identifier]
        guard sysctl(&name, 4, &process, &size, nil, 0) == 0, size > 0 else { return nil }
        let time = process.kp_proc.p_un.__p_starttime
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_usec)
    }
    #else
    private static func start(of identifier: pid_t) -> UInt64? {
        guard let line = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
            // The program's name is in parentheses, and may itself contain parentheses and spaces.
            let name = line.lastIndex(of: ")")
        else { return nil }
        let fields = line[line.index(after: name)...].split(separator: " ")
        // The fields begin with the state, which is the third. A zombie has exited, and waits for its status to be read. See
        // proc(5).
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }
    #endif
}
#endif
