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

/// A program that runs in its own process group, so that it can be terminated with all its child processes.
///
/// Foundation's `Process` passes only the three standard file descriptors to a program, and DevTools over a pipe needs two more.
final class SpawnedProcess: Sendable {
    let identifier: pid_t
    /// The exit status, negative for a signal. It is available after all processes of the group were killed.
    let ending: EventLoopFuture<Int>

    private init(identifier: pid_t, ending: EventLoopPromise<Int>) {
        self.identifier = identifier
        self.ending = ending.futureResult
        let waiter = Thread { ending.succeed(Self.wait(for: identifier)) }
        waiter.name = "countersign-browser"
        waiter.start()
    }

    /// Runs a program with a file as its descriptors 3 and 4. Its standard input and outputs are `/dev/null`.
    ///
    /// - Throws: ``SystemFailure``.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], file: Int32, on loop: any EventLoop
    ) throws(SystemFailure) -> SpawnedProcess {
        var actions = Actions()
        defer { actions.free() }
        // The copy has a descriptor above the targets, so that no target replaces it.
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

    /// Kills the program and all processes of its group.
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

    /// Blocks until the program has exited, and then kills its group. The process is reaped only afterwards, so that no other
    /// process can get its identifier in the meantime.
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

/// The file actions of `posix_spawn`.
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
        // The program must not inherit open files, such as NIO's sockets, which have no close-on-exec flag. The range includes
        // some additional descriptors that other threads may open meanwhile. Closing an unused descriptor is no error.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let last = names.compactMap { Int32($0) }.max() ?? 255
        // `posix_spawn` refuses descriptors beyond the limit. Files from before the limit was lowered can have such descriptors,
        // so they get the close-on-exec flag.
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

/// The attributes of `posix_spawn`: a new process group, with no signal blocked or ignored.
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

/// Calls a function with texts as a null-terminated array of C strings.
private func withStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
}
#endif
