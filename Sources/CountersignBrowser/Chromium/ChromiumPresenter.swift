#if os(macOS) || os(Linux)
public import Countersign
internal import Foundation

/// Shows a login in a separate Chromium, Chrome or Edge, with a window or headless.
///
/// It supports all logins, including those that end in cookies, such as SAML's, and those with a private-use URI scheme, on
/// desktops and on machines without a display:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = ChromiumPresenter()
/// ```
///
/// The browser is started for one login, with a temporary profile that contains the session's cookies but no history, passwords or
/// extensions of the user. It is controlled over the DevTools protocol, through a socket that only this process and the browser
/// have. Every redirect by a server, a script, a form or `<meta http-equiv="refresh">` is seen, also in further windows of the
/// login. The URL that ends the login is not requested: the browser is closed, its cookies, including `HttpOnly` ones, are passed
/// to the session, and the profile is deleted. A URL with a scheme other than `http` and `https` is never passed to the system. A page
/// with a form, such as a logout page that receives a token of its provider, is requested with a `POST`.
///
/// | what happens | how the presentation ends |
/// |---|---|
/// | the user closes the window, or the last one | `PresentationFailure.dismissed` |
/// | a page cannot be loaded, its certificate is not trusted, or it crashes | `PresentationFailure.load` with a ``ChromiumError`` |
/// | the server answers with a status of 400 or more, and the page asks for no password | ``ChromiumError/answered(status:origin:)`` |
/// | a page hangs, or leads nowhere | ``ChromiumError/timedOut(_:origin:)`` |
/// | the task is cancelled | `CancellationError` |
///
/// In each case, no browser process and no file remains. If the program itself is killed, the browser exits; the next login deletes
/// its profile and terminates a browser that hangs.
///
/// **Security.** The browser verifies certificates by its own rules; errors cannot be ignored. Scripts of the login's pages run in
/// the browser's sandbox, except for root, for whom Chromium does not support it: run programs that show logins of untrusted
/// servers as another user. The browser's arguments, which other users of the machine can read, contain no URL. Its profile is a
/// folder for the user only, below the temporary folder (`TMPDIR`), and is not encrypted.
public struct ChromiumPresenter: WebPresenter {
    private let configuration: ChromiumConfiguration
    private let limits: ChromiumLimits
    private let environment: [String: String]?
    private let hooks: ChromiumHooks

    /// Creates a presenter. The browser is started when a login is shown.
    public init(_ configuration: ChromiumConfiguration = ChromiumConfiguration()) {
        self.init(configuration, limits: ChromiumLimits())
    }

    /// Creates a presenter for tests with a scripted user.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the browser.
    ///   - script: JavaScript that runs in each document of the login before the document's own.
    @_spi(Scripting)
    public init(_ configuration: ChromiumConfiguration, script: String) {
        self.init(configuration, limits: ChromiumLimits(), hooks: ChromiumHooks(script: script))
    }

    /// - Parameter environment: The environment variables for the search and for the browser; `nil` for those of the process.
    init(
        _ configuration: ChromiumConfiguration, limits: ChromiumLimits, environment: [String: String]? = nil,
        hooks: ChromiumHooks = ChromiumHooks()
    ) {
        self.configuration = configuration
        self.limits = limits
        self.environment = environment
        self.hooks = hooks
    }

    /// The path of the first installed browser among Chromium, Chrome and Edge, or `nil` if there is none.
    ///
    /// The search uses their names in `PATH` and their usual installation paths.
    public static func findExecutable() -> String? {
        ChromiumExecutable(environment: ProcessInfo.processInfo.environment).path
    }

    /// `true`, since the application sees every URL before it is requested.
    public var isEmbeddedWebView: Bool { true }

    /// Starts a browser, opens the page in it, and returns when the login has ended and the browser has exited.
    ///
    /// - Throws: `PresentationFailure.dismissed`; `PresentationFailure.load` with a ``ChromiumError``; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await reportingFailures { try await show(presentation) }
    }

    private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try Task.checkCancellation()
        let environment = environment ?? ProcessInfo.processInfo.environment
        let program = try program(environment)
        guard configuration.isHeadless || Self.hasDisplay(environment) else { throw ChromiumError.noDisplay }
        let login = ChromiumLogin(presentation, configuration: configuration, limits: limits, hooks: hooks)
        let browser = try await ChromiumProcess.start(
            program, isHeadless: configuration.isHeadless, in: Self.temporaryFolder(environment), environment: environment,
            limits: limits
        ) { login.take($0, from: $1) }
        do {
            let result = try await login.run(in: browser, program: program)
            await browser.end()
            return result
        } catch {
            await browser.end()
            throw error
        }
    }

    private func program(_ environment: [String: String]) throws -> String {
        let candidates = configuration.executable.map { [$0] } ?? ChromiumExecutable.usual
        let executable = ChromiumExecutable(candidates: candidates, environment: environment)
        guard let path = executable.path else { throw ChromiumError.notFound(tried: candidates) }
        return path
    }

    private static func hasDisplay(_ environment: [String: String]) -> Bool {
        #if os(macOS)
        true
        #else
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        #endif
    }

    /// Returns the folder for temporary files, without a trailing slash.
    private static func temporaryFolder(_ environment: [String: String]) -> String {
        let folder = environment["TMPDIR"] ?? FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }
}
#endif
