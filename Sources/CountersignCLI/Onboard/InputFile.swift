import Countersign
import Foundation

/// A file that is read once, from beginning to end. It can be a pipe, such as `/dev/stdin` or a process substitution `<(…)` of a
/// shell.
struct InputFile: Sendable {
    /// The maximum number of bytes that are read. A photo of a code has fewer, and a configuration far fewer.
    static let maximumSize = 32 << 20

    let path: String
    /// The time limit for waiting for a pipe. A terminal has no limit, because the user types there.
    var patience: Duration = .seconds(60)

    /// The name of the file in messages, with control characters escaped.
    var name: String {
        if path == "/dev/stdin" { return "the standard input" }
        if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") { return "the given input" }
        return VisibleText.escaped(URL(filePath: path).lastPathComponent)
    }

    /// The name within a sentence, with quotes if it is that of a file.
    var label: String { name.hasPrefix("the ") ? name : "'\(name)'" }
    /// The name at the beginning of a sentence.
    var subject: String { name.hasPrefix("the ") ? "The " + name.dropFirst(4) : label }

    /// Reads the bytes: at least one, and at most ``maximumSize``.
    ///
    /// - Throws: ``CommandProblem``, which does not contain the path of a missing file, because that may be a misplaced secret.
    func read() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            // Waiting for a pipe blocks a thread, so it must not run on a thread that tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try readNow() }) }
        }
    }

    private func readNow() throws -> Data {
        let descriptor = try opened()
        defer { close(descriptor) }
        // `fstat` cannot be used: the compiler attributes `stat` to the C module that it has loaded first, which differs between
        // builds.
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue else {
            throw CommandProblem(
                "\(subject) is a folder.", remedy: "Give the configuration file in it.", exit: CommandExit.noInput)
        }
        let data = try content(of: descriptor, mayBeSilent: lseek(descriptor, 0, SEEK_CUR) < 0 || isatty(descriptor) == 1)
        guard data.count <= Self.maximumSize else {
            throw CommandProblem("\(subject) has more than \(Self.maximumSize >> 20) MiB.", exit: CommandExit.badData)
        }
        guard !data.isEmpty else {
            throw CommandProblem("\(subject) is empty.", exit: CommandExit.badData)
        }
        return data
    }

    private func opened() throws -> Int32 {
        // Without `O_NONBLOCK`, `open` would block on a pipe whose other end is not open yet; `poll` waits below. The standard
        // input is duplicated because it may be a socket, which has no path.
        let descriptor = path == "/dev/stdin" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        return descriptor
    }

    private func content(of descriptor: Int32, mayBeSilent: Bool) throws -> Data {
        let limit = isatty(descriptor) == 1 ? -1 : Int32(clamping: patience.components.seconds * 1000)
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while data.count <= Self.maximumSize {
            if mayBeSilent { try wait(for: descriptor, limit) }
            let count = systemRead(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 {
                data.append(contentsOf: chunk[..<count])
            } else if errno != EINTR, errno != EAGAIN {
                throw unreadable(errno)
            }
        }
        return data
    }

    private func wait(for descriptor: Int32, _ limit: Int32) throws {
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&place, 1, limit)
        if count == 0 {
            let seconds = patience.components.seconds
            throw CommandProblem(
                "No data was received from \(label) for \(seconds) seconds.", remedy: "Check the program that writes to it.",
                exit: CommandExit.noInput)
        }
        if count < 0, errno != EINTR { throw unreadable(errno) }
    }

    private func unreadable(_ code: Int32) -> CommandProblem {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            CommandProblem(
                "The argument is not a link, not JSON, and not the path of an existing file.",
                remedy: "Check the file's path. It is not shown, because it may be a secret that was given by mistake.",
                exit: CommandExit.noInput)
        case EACCES, EPERM:
            CommandProblem("\(subject) is not readable.", remedy: "Check the file's permissions.", exit: CommandExit.noInput)
        default:
            CommandProblem("\(subject) cannot be read: \(String(cString: strerror(code))).", exit: CommandExit.noInput)
        }
    }
}

/// Calls the function of the system, which the type's own method would hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
