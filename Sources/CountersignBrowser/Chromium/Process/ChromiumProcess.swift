#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import NIOCore
internal import NIOPosix

/// A browser that runs, with its profile and its connection. The code that starts one ends it.
struct ChromiumProcess: Sendable {
    let connection: DevToolsConnection
    private let process: SpawnedProcess
    private let profile: ChromiumProfile
    private let limits: ChromiumLimits

    /// Starts a browser.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - base: The folder for temporary files, in which the browser gets one of its own.
    ///   - environment: What the browser's environment has besides what is given here.
    ///   - handler: Called for the events of its pages.
    /// - Throws: ``ChromiumError``.
    static func start(
        _ program: String, isHeadless: Bool, in base: String, environment: [String: String], limits: ChromiumLimits,
        handler: @escaping DevToolsConnection.Handler
    ) async throws -> ChromiumProcess {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (profile, process, socket) = try await onThread {
            ChromiumProfile.removeLeftovers(in: base)
            return try launch(program, isHeadless: isHeadless, in: base, environment: environment, on: loop)
        }
        do {
            let connection = try await DevToolsConnection.open(socket, limits: limits, on: loop, handler: handler)
            return ChromiumProcess(connection: connection, process: process, profile: profile, limits: limits)
        } catch {
            process.kill()
            _ = try? await process.ending.get()
            try? await onThread { profile.delete() }
            throw error
        }
    }

    private static func launch(
        _ program: String, isHeadless: Bool, in base: String, environment: [String: String], on loop: any EventLoop
    ) throws(ChromiumError) -> (ChromiumProfile, SpawnedProcess, Int32) {
        let profile: ChromiumProfile
        do {
            profile = try ChromiumProfile(in: base)
        } catch {
            throw .cannotMakeProfile(folder: base, reason: error.reason)
        }
        do throws(SystemFailure) {
            let (own, browsers) = try socketPair()
            defer { close(browsers) }
            do throws(SystemFailure) {
                let process = try SpawnedProcess.run(
                    program, ChromiumArguments.list(userData: profile.userData, isHeadless: isHeadless, isRoot: geteuid() == 0),
                    environment: environment.merging(profile.environment) { $1 }, file: browsers, on: loop)
                // A browser that has ended already needs no note.
                if let stamp = ProcessStamp(of: process.identifier) { try? profile.note(stamp) }
                return (profile, process, own)
            } catch {
                close(own)
                throw error
            }
        } catch {
            profile.delete()
            throw .cannotStart(program: program, reason: error.reason)
        }
    }

    /// Two ends of one connection, of which no other program that is started gets a copy.
    private static func socketPair() throws(SystemFailure) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try SystemFailure.check { socketpair(AF_UNIX, type, 0, &ends) }
        #else
        try SystemFailure.check { socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        return (ends[0], ends[1])
    }

    /// Calls `body` with the status that the browser ended with, when it has.
    func whenEnded(_ body: @escaping @Sendable (Int) -> Void) { process.ending.whenSuccess(body) }

    /// The status that the browser ended with, negative for a signal, once it has.
    func status() async -> Int { (try? await process.ending.get()) ?? 0 }

    /// Closes the browser, kills it if that takes too long, and deletes its profile. Afterwards nothing of it is there.
    func end() async {
        connection.send("Browser.close", DevToolsNothing())
        let timer = process.ending.eventLoop.scheduleTask(in: TimeAmount(limits.closingTime)) { [process] in process.kill() }
        _ = await status()
        timer.cancel()
        connection.close()
        try? await Self.onThread { [profile] in profile.delete() }
    }

    /// Does what blocks on a thread that may be blocked. What has been started or is to be deleted is so in a cancelled task, too.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            NIOThreadPool.singleton.submit { _ in continuation.resume(with: Result { try body() }) }
        }
    }
}

extension ChromiumProfile {
    /// Where the browser writes what belongs to no profile.
    fileprivate var environment: [String: String] {
        var environment = ["BREAKPAD_DUMP_LOCATION": crashes]
        #if os(Linux)
        environment["XDG_CACHE_HOME"] = cache
        // The browser makes a socket there, whose name the system takes no more than 107 bytes of.
        if temporary.utf8.count <= 60 { environment["TMPDIR"] = temporary }
        #endif
        return environment
    }
}
#endif
