import Foundation

/// A file that is read once, from its begin to its end: also a pipe, such as `/dev/stdin` or what a shell makes of `<(…)`.
struct InputFile: Sendable {
    /// The most bytes that are read; a photo of a code has less, and a configuration far less.
    static let maximumBytes = 32 << 20

    let path: String
    /// How long a pipe may be silent. A terminal may be for ever: there, the user types.
    var patience: Duration = .seconds(60)

    /// What to call it, without what a terminal would obey.
    var name: String {
        if path == "/dev/stdin" { return "the standard input" }
        if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") { return "the given input" }
        return VisibleText.escaped(URL(filePath: path).lastPathComponent)
    }

    /// The same within a sentence, with quotes if it is a file's.
    var label: String { name.hasPrefix("the ") ? name : "'\(name)'" }
    /// That at the begin of a sentence.
    var subject: String { name.hasPrefix("the ") ? "The " + name.dropFirst(4) : label }

    /// The bytes, which are there and not too many.
    ///
    /// - Throws: ``CommandProblem``, which does not repeat the path of a file that is not there: it may be a secret in the wrong place.
    func read() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            // Waiting for a pipe blocks, so not on the threads that tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try readNow() }) }
        }
    }

    private func readNow() throws -> Data {
        let descriptor = try opened()
        defer { close(descriptor) }
        // Not by `fstat`: the compiler ascribes `stat` to the module of C that it has loaded first, which differs from build to build.
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue else {
            throw CommandProblem(
                "\(subject) is a folder.", remedy: "Give the file of the configuration that is in it.", exit: CommandExit.noInput)
        }
        let data = try content(of: descriptor, mayBeSilent: lseek(descriptor, 0, SEEK_CUR) < 0 || isatty(descriptor) == 1)
        guard data.count <= Self.maximumBytes else {
            throw CommandProblem("\(subject) has more than \(Self.maximumBytes >> 20) MiB.", exit: CommandExit.badData)
        }
        guard !data.isEmpty else {
            throw CommandProblem("\(subject) is empty.", exit: CommandExit.badData)
        }
        return data
    }

    private func opened() throws -> Int32 {
        // A pipe whose other end is not open yet would hold `open` up; the waiting is done below. What is the standard input
        // already may be a socket, which has no path.
        let descriptor = path == "/dev/stdin" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        return descriptor
    }

    private func content(of descriptor: Int32, mayBeSilent: Bool) throws -> Data {
        let limit = isatty(descriptor) == 1 ? -1 : Int32(clamping: patience.components.seconds * 1000)
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while data.count <= Self.maximumBytes {
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
                "Nothing has come from \(label) for \(seconds) seconds.", remedy: "Check the program that is to write there.",
                exit: CommandExit.noInput)
        }
        if count < 0, errno != EINTR { throw unreadable(errno) }
    }

    private func unreadable(_ code: Int32) -> CommandProblem {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            CommandProblem(
                "What was given is no link, no JSON, and no file that is there.",
                remedy: "Check the file's path. It is not shown, since it may be a secret in the wrong place.",
                exit: CommandExit.noInput)
        case EACCES, EPERM:
            CommandProblem("\(subject) may not be read.", remedy: "Check the file's permissions.", exit: CommandExit.noInput)
        default:
            CommandProblem("\(subject) cannot be read: \(String(cString: strerror(code))).", exit: CommandExit.noInput)
        }
    }
}

/// The system's own function, which the type's has the name of.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
