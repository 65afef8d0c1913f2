#if os(macOS) || os(Linux)
public import Foundation

/// The browser that the user has chosen for this machine.
///
/// Asked for a page, it starts the first of these that is there, and the next if one ends with a failure: the programs that the
/// environment variable `BROWSER` lists, by paths or by names in `PATH` with colons between them; then `open` on macOS and
/// `xdg-open` elsewhere. An entry of `BROWSER` is a file and never a command line: there are no words, no `%s` and no shell.
///
/// The URL is the program's one argument. While it runs, other users of the same machine may be able to read its arguments. With the
/// state and the port of a login they cannot get the user's tokens, for the code verifier does not leave the application, but they can
/// answer the login with an account of their own: see ``LoopbackPresenter``.
public struct SystemBrowser: Sendable {
    private let launchers: Launchers

    /// Makes the browser of this process's environment.
    public init() { self.init(environment: ProcessInfo.processInfo.environment) }

    init(environment: [String: String]) { launchers = Launchers(environment: environment) }

    /// Opens a page, and returns when the program that was asked to has ended.
    ///
    /// That may be at once, or when the user closes the browser. Cancelling the task stops the wait and leaves the browser alone.
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

    /// Runs a program and says whether it ended well.
    private func run(_ program: String, showing url: URL) async throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url.absoluteString]
        process.environment = launchers.environment
        // What a browser says, it would say in the middle of the application's own output, with the URL in it.
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
