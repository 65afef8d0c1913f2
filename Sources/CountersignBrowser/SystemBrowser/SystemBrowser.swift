#if os(macOS) || os(Linux)
public import Foundation

/// The user's default browser.
///
/// To open a page, it runs the first of these programs that exists, and the next one after a failure: the programs in the
/// environment variable `BROWSER`, as paths or names in `PATH` separated by colons; then `open` on macOS and `xdg-open` elsewhere.
/// An entry of `BROWSER` is a file name, not a command line: it has no arguments, no `%s` and no shell.
///
/// The URL is the program's only argument. While it runs, other users of the same machine may be able to read it. With the `state`
/// and the port of a login they cannot obtain the user's tokens, since the code verifier stays in the application, but they can
/// complete the login with their own account; see ``LoopbackPresenter``.
public struct SystemBrowser: Sendable {
    private let launchers: Launchers

    /// Creates the browser of this process's environment.
    public init() { self.init(environment: ProcessInfo.processInfo.environment) }

    init(environment: [String: String]) { launchers = Launchers(environment: environment) }

    /// Opens a page, and returns when the started program has exited.
    ///
    /// That may be at once, or when the user closes the browser. Cancelling the task ends the wait but not the browser.
    ///
    /// - Throws: ``SystemBrowserError``, or `CancellationError`.
    public func open(_ url: URL) async throws {
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http" else {
            throw SystemBrowserError.notAWebAddress
        }
        let programs = launchers.programs()
        guard !programs.isEmpty else { throw SystemBrowserError.notFound(tried: launchers.names) }
        for program in programs where try await run(program, showing: url) { return }
        throw SystemBrowserError.failed(programs: programs)
    }

    /// Runs a program and returns whether it succeeded.
    private func run(_ program: String, showing url: URL) async throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url.absoluteString]
        process.environment = launchers.environment
        // A browser's output would be mixed with the application's, and may contain the URL.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ending = SingleResult<Bool>()
        process.terminationHandler = { process in
            ending.settle(.success(process.terminationReason == .exit && process.terminationStatus == 0))
        }
        try Task.checkCancellation()
        do { try process.run() } catch { return false }
        return try await ending.value()
    }
}
#endif
