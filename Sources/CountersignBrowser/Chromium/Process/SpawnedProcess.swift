#if os(macOS) || os(Linux)
internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

/// A program that runs in a process group of its own, so that it can be ended with all that it has started.
///
/// `Process` of Foundation gives a program no further files than the three standard ones, and DevTools over a pipe needs two.
final class SpawnedProcess: Sendable {
    let identifier: pid_t
    /// The status that the program ended with, negative for a signal. All its group has been killed by then.
    let ending: EventLoopFuture<Int>

    private init(identifier: pid_t, ending: EventLoopPromise<Int>) {
        self.identifier = identifier
        self.ending = ending.futureResult
        let waiter = Thread { ending.succeed(Self.wait(for: identifier)) }
        waiter.name = "countersign-browser"
        waiter.start()
    }

    /// Runs a program with one more file, which becomes its files 3 and 4; what it reads, writes and says goes nowhere.
    ///
    /// - Throws: ``SystemFailure``.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], file: Int32, on loop: any EventLoop
    ) throws(SystemFailure) -> SpawnedProcess {
        var actions = Actions()
        defer { actions.free() }
        // Above all that it is copied to, so that no copy takes the place of the original.
        let source = try SystemFailure.check { fcntl(file, F_DUPFD_CLOEXEC, 16) }
        defer { close(source) }
        try actions.prepare(copying: source, to: [3, 4])
        var attributes = Attributes()
        defer { attributes.free() }
        try attributes.prepare()
        var identifier = pid_t()
        let code = withStrings([program] + arguments) { arguments in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&identifier, program, &actions.value, &attributes.value, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemFailure(code: code) }
        return SpawnedProcess(identifier: identifier, ending: loop.makePromise())
    }

    /// Ends the program, and all that it has started, at once.
    func kill() { Self.kill(group: identifier) }

    static func kill(group: pid_t) {
        #if canImport(Glibc)
        _ = Glibc.kill(-group, SIGKILL)
        #elseif canImport(Musl)
        _ = Musl.kill(-group, SIGKILL)
        #else
        _ = Darwin.kill(-group, SIGKILL)
        #endif
    }

    /// Blocks until the program has ended; then ends what is left of its group. Its number is given free after that, so that no other
    /// group can have it meanwhile.
    private static func wait(for identifier: pid_t) -> Int {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        kill(group: identifier)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? Int((status >> 8) & 0xFF) : -Int(signal)
    }
}

/// What `posix_spawn` does with files.
private struct Actions {
    #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
    #else
    var value = posix_spawn_file_actions_t()
    #endif

    mutating func prepare(copying source: Int32, to targets: [Int32]) throws(SystemFailure) {
        posix_spawn_file_actions_init(&value)
        for file in Int32(0)...2 {
            let flags = file == 0 ? O_RDONLY : O_WRONLY
            try Self.check(posix_spawn_file_actions_addopen(&value, file, "/dev/null", flags, 0))
        }
        for target in targets { try Self.check(posix_spawn_file_actions_adddup2(&value, source, target)) }
        #if !canImport(Darwin)
        // What this process has open is none of the program's: sockets of NIO, for example, stay open in programs that are started.
        // Some more than there are now, for those that other threads open meanwhile; that a file is not open is no error.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let last = names.compactMap { Int32($0) }.max() ?? 255
        // A number that no new file may have is refused. There can be such a file from before the limit was lowered: it is kept from all
        // programs that this process starts.
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        let end = limit > 0 ? min(last + 65, Int32(clamping: limit)) : last + 65
        for file in stride(from: (targets.max() ?? 2) + 1, to: end, by: 1) {
            try Self.check(posix_spawn_file_actions_addclose(&value, file))
        }
        for file in stride(from: end, through: last, by: 1) { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        #endif
    }

    mutating func free() { posix_spawn_file_actions_destroy(&value) }

    static func check(_ code: Int32) throws(SystemFailure) {
        guard code == 0 else { throw SystemFailure(code: code) }
    }
}

/// How `posix_spawn` makes the process: in a group of its own, with no signal blocked or ignored.
private struct Attributes {
    #if canImport(Darwin)
    var value: posix_spawnattr_t?
    #else
    var value = posix_spawnattr_t()
    #endif

    mutating func prepare() throws(SystemFailure) {
        posix_spawnattr_init(&value)
        var signals = sigset_t()
        sigemptyset(&signals)
        try Actions.check(posix_spawnattr_setsigmask(&value, &signals))
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
        try Actions.check(posix_spawnattr_setsigdefault(&value, &signals))
        try Actions.check(posix_spawnattr_setpgroup(&value, 0))
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        #if canImport(Darwin)
        try Actions.check(posix_spawnattr_setflags(&value, Int16(flags | Int32(POSIX_SPAWN_CLOEXEC_DEFAULT))))
        #else
        try Actions.check(posix_spawnattr_setflags(&value, Int16(flags)))
        #endif
    }

    mutating func free() { posix_spawnattr_destroy(&value) }
}

/// Lends texts to a function of C that takes a list of them, with a null pointer at its end.
private func withStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
}
#endif
