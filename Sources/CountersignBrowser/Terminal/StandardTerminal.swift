#if os(macOS) || os(Linux)
internal import Countersign
internal import Foundation

extension Terminal {
    /// The controlling terminal of this process, if the process is in the foreground.
    ///
    /// Text is written to standard error if that is the terminal, otherwise to the terminal device, so that login URLs are never
    /// redirected into a log. Lines are read from standard input if that is the terminal, otherwise from the device. Input is not
    /// echoed. While a line is read, Ctrl-C and Ctrl-D end the input and not the process. The terminal's settings are restored
    /// afterwards.
    public static var standard: Terminal? { standard {} }

    /// Returns the controlling terminal for a program that Ctrl-C ends.
    ///
    /// - Parameter onInterrupt: Called after Ctrl-C has ended the input.
    package static func standard(onInterrupt: @escaping @Sendable () -> Void) -> Terminal? {
        guard let input = TerminalDevice(preferring: STDIN_FILENO), let output = TerminalDevice(preferring: STDERR_FILENO),
            input.isInForeground
        else { return nil }
        return Terminal(
            width: { output.columns }, environment: ProcessInfo.processInfo.environment, turns: standardTurns,
            write: { output.write($0) },
            read: { ask in
                try await input.readLine(
                    limit: OAuth2AuthorizationResponse.maximumLength + 1, onInterrupt: onInterrupt, whenHidden: ask)
            })
    }

    private static let standardTurns = TerminalTurns()
}

/// A terminal device: an open descriptor, or `/dev/tty`, opened for each use.
struct TerminalDevice: Sendable {
    /// The open descriptor; `nil` for the controlling terminal of the process.
    private let descriptor: Int32?

    /// Uses a descriptor if it is a terminal, otherwise the controlling terminal of the process; `nil` if there is none.
    init?(preferring descriptor: Int32) {
        if isatty(descriptor) == 1 {
            self.descriptor = descriptor
        } else {
            self.descriptor = nil
            guard withDescriptor({ isatty($0) == 1 }) == true else { return nil }
        }
    }

    /// Whether the process may read. The system stops a background process that reads from its terminal.
    var isInForeground: Bool { withDescriptor { tcgetpgrp($0) == getpgrp() } ?? false }

    /// The number of characters per line; `nil` if unknown.
    var columns: Int? {
        withDescriptor { descriptor -> Int? in
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return Int(size.ws_col)
        } ?? nil
    }

    /// Writes a text completely. After an error the rest is discarded.
    func write(_ text: String) {
        _ = withDescriptor { descriptor in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&place, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    /// Reads a line on a separate thread, so that the wait for the user blocks no shared thread.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a line in bytes. Further bytes are discarded.
    ///   - onInterrupt: Called after Ctrl-C has ended the input.
    ///   - whenHidden: Called when the echo of the terminal is disabled.
    func readLine(
        limit: Int, onInterrupt: @Sendable () -> Void = {}, whenHidden: @escaping @Sendable () -> Void = {}
    ) async throws -> String? {
        try Task.checkCancellation()
        guard let alarm = Alarm() else { return nil }
        let reading: TerminalReading = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let reading = withDescriptor { TerminalReading.read($0, until: alarm.descriptor, limit: limit, whenHidden) }
                    continuation.resume(returning: reading ?? .line(nil))
                }
            }
        } onCancel: {
            alarm.ring()
        }
        switch reading {
        case .line(let line): return line
        case .interrupted:
            onInterrupt()
            return nil
        case .cancelled: throw CancellationError()
        }
    }

    private func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result? {
        if let descriptor { return body(descriptor) }
        let opened = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return body(opened)
    }
}

/// A pipe by which another thread's wait for a descriptor is ended.
private final class Alarm: Sendable {
    /// The reading end, which is readable after ``ring()``.
    let descriptor: Int32
    private let bell: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (descriptor, bell) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    func ring() {
        var byte: UInt8 = 0
        _ = systemWrite(bell, &byte, 1)
    }
}

/// The result of reading a line from a terminal on the current thread.
private enum TerminalReading: Sendable {
    /// A line; `nil` at the end of the input.
    case line(String?)
    /// The user has typed Ctrl-C.
    case interrupted
    case cancelled

    /// Reads a line byte by byte, so that the input after it remains for the next reader.
    static func read(_ descriptor: Int32, until alarm: Int32, limit: Int, _ whenHidden: () -> Void) -> TerminalReading {
        var saved = termios()
        guard tcgetattr(descriptor, &saved) == 0 else { return .line(nil) }
        var mode = saved
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        set(VMIN, to: 1, in: &mode)
        set(VTIME, to: 0, in: &mode)
        // Ctrl-C is read as a byte and raises no signal, so that the login can be ended properly.
        set(VINTR, to: disabled, in: &mode)
        guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else { return .line(nil) }
        defer { tcsetattr(descriptor, TCSANOW, &saved) }
        whenHidden()

        var editor = LineEditor(limit: limit)
        while true {
            guard wait(for: descriptor, or: alarm) else { return .line(nil) }
            if isReadable(alarm) { return .cancelled }
            var byte: UInt8 = 0
            let count = systemRead(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1 else { return .line(nil) }
            switch editor.take(byte) {
            case .more: continue
            case .line(let line): return .line(line)
            case .end: return .line(nil)
            case .interrupt: return .interrupted
            }
        }
    }

    #if os(macOS)
    private static let disabled: cc_t = 0xFF
    #else
    private static let disabled: cc_t = 0
    #endif

    private static func set(_ index: Int32, to value: cc_t, in mode: inout termios) {
        withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(index)] = value }
    }

    #if os(macOS)
    /// Waits until one of two descriptors is readable. It uses `select`,
    /// because `poll` does not support terminals on macOS. A set of `select`
    /// cannot hold descriptors of 1024 and more, with which nothing is read.
    private static func wait(for descriptor: Int32, or alarm: Int32) -> Bool {
        let highest = max(descriptor, alarm)
        guard highest < 1024 else { return false }
        while true {
            var set = fd_set()
            withUnsafeMutableBytes(of: &set) { bytes in
                for number in [descriptor, alarm] { bytes[Int(number) / 8] |= 1 << UInt8(number % 8) }
            }
            if select(highest + 1, &set, nil, nil, nil) > 0 { return true }
            guard errno == EINTR else { return false }
        }
    }
    #else
    /// Waits until one of two descriptors is readable.
    private static func wait(for descriptor: Int32, or alarm: Int32) -> Bool {
        var places = [descriptor, alarm].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            if poll(&places, 2, -1) > 0 { return true }
            guard errno == EINTR else { return false }
        }
    }
    #endif

    private static func isReadable(_ pipe: Int32) -> Bool {
        var place = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) > 0
    }
}

// Wrappers of the system's functions, whose names are hidden by methods of the same names.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
#endif
