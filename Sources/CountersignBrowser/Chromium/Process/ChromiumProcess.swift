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

/// A running browser with its profile and its connection. The code that starts it must call ``end()``.
struct ChromiumProcess: Sendable {
    let connection: DevToolsConnection
    private let process: SpawnedProcess
    private let profile: ChromiumProfile
    private let limits: ChromiumLimits

    /// Starts a browser.
    ///
    /// - Parameters:
    ///   - program: The path of the browser.
    ///   - base: The folder for temporary files, in which the browser's folder is created.
    ///   - environment: The environment variables of the browser, to which those of the profile are added.
    ///   - handler: Called for the events of pages.
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
                // If the browser has already exited, no stamp is needed.
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

    /// Returns the two ends of a connection, which other child processes do not inherit.
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

    /// Calls `body` with the exit status when the browser has exited.
    func whenEnded(_ body: @escaping @Sendable (Int) -> Void) { process.ending.whenSuccess(body) }

    /// Waits until the browser has exited, and returns its exit status, which is negative for a signal.
    func status() async -> Int { (try? await process.ending.get()) ?? 0 }

    /// Closes the browser, kills it if that takes too long, and deletes its profile.
    func end() async {
        connection.send("Browser.close", DevToolsNothing())
        let timer = process.ending.eventLoop.scheduleTask(in: TimeAmount(limits.closingTime)) { [process] in process.kill() }
        _ = await status()
        timer.cancel()
        connection.close()
        try? await Self.onThread { [profile] in profile.delete() }
    }

    /// Runs blocking code on a thread pool, also in a cancelled task, so that resources are always released.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            NIOThreadPool.singleton.submit { _ in continuation.resume(with: Result { try body() }) }
        }
    }
}

extension ChromiumProfile {
    /// The environment variables for files outside of the profile.
    fileprivate var environment: [String: String] {
        var environment = ["BREAKPAD_DUMP_LOCATION": crashes]
        #if os(Linux)
        environment["XDG_CACHE_HOME"] = cache
        // The browser creates a socket in this folder, and the system limits a socket's path to 107 bytes.
        if temporary.utf8.count <= 60 { environment["TMPDIR"] = temporary }
        #endif
        return environment
    }
}
#endif
