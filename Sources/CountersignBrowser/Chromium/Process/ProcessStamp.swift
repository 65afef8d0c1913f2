#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

/// A process that is known again: by its number, which the system gives to others later, and by when it was started.
struct ProcessStamp: Sendable, Hashable {
    let identifier: pid_t
    /// In units of the system's own.
    let start: UInt64

    /// The stamp of a process; `nil` if there is none of this number.
    init?(of identifier: pid_t) {
        guard identifier > 1, let start = Self.start(of: identifier) else { return nil }
        self.identifier = identifier
        self.start = start
    }

    /// Reads a stamp that was written down as ``text``.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let identifier = pid_t(parts[0]), identifier > 1, let start = UInt64(parts[1]) else { return nil }
        self.identifier = identifier
        self.start = start
    }

    var text: String { "\(identifier) \(start)" }

    /// Whether the process runs still, as the same.
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
            // The program's name stands in parentheses, and may have parentheses and spaces itself.
            let name = line.lastIndex(of: ")")
        else { return nil }
        let fields = line[line.index(after: name)...].split(separator: " ")
        // From the state on, which is the third field; a zombie has ended, and waits to be asked for its status. See proc(5).
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }
    #endif
}
#endif
