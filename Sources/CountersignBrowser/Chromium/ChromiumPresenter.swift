#if os(macOS) || os(Linux)
public import Countersign
internal import Foundation

/// Shows a login in a Chromium, Chrome or Edge of its own, with a window or without one.
///
/// For logins that end in cookies, such as SAML's, for those that come back to an address with a scheme of the application's own, and for
/// all others, on desktops and on machines without a screen:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = ChromiumPresenter()
/// ```
///
/// The browser is started for one login, with a profile of its own that has the session's cookies and nothing of the user's: no history, no
/// passwords, no extensions. It is driven over the DevTools protocol, through a socket that only this process and the browser have. Every
/// redirect is seen, whether a server, a script, a form or `<meta http-equiv="refresh">` makes it, also in further windows that the login
/// opens. An address that ends the login is not asked for: the browser is closed, its cookies, those that scripts cannot see among them, go to
/// the session, and the profile is deleted. An address with another scheme than `http` and `https` is not handed to the system.
///
/// | what happens | how the presentation ends |
/// |---|---|
/// | the user closes the window, or the last one | `PresentationFailure.dismissed` |
/// | a page cannot be loaded, its certificate is not trusted, or it crashes | `PresentationFailure.load` with a ``ChromiumError`` |
/// | the server answers with a status of 400 or more, and the page asks for no password | ``ChromiumError/answered(status:origin:)`` |
/// | a page hangs, or leads nowhere | ``ChromiumError/timedOut(_:origin:)`` |
/// | the task is cancelled | `CancellationError` |
///
/// However it ends, no process of the browser and no file stays. If the program itself is killed, the browser notices and ends; the next login
/// deletes its profile, and ends a browser that hangs.
///
/// **Who is trusted.** The browser checks certificates by its own rules; there is no setting to ignore errors. Scripts of the login's pages run in
/// the browser's sandbox. Chromium does not start with its sandbox for root, so for root it runs without one: a program that shows logins of
/// servers that are not trusted runs as another user. The browser's arguments, which other users of the machine can read, hold no address. Its
/// profile is a folder that only the user can enter, below the folder for temporary files (`TMPDIR`); what is in it is not encrypted.
public struct ChromiumPresenter: WebPresenter {
    private let configuration: ChromiumConfiguration
    private let limits: ChromiumLimits
    private let environment: [String: String]?
    private let hooks: ChromiumHooks

    /// Makes a presenter. Nothing is started before a login is shown.
    public init(_ configuration: ChromiumConfiguration = ChromiumConfiguration()) {
        self.init(configuration, limits: ChromiumLimits())
    }

    /// Makes a presenter for a test, whose user is a script.
    ///
    /// - Parameters:
    ///   - configuration: How the login is shown.
    ///   - script: JavaScript that runs in each document of the login before the document's own.
    @_spi(Scripting)
    public init(_ configuration: ChromiumConfiguration, script: String) {
        self.init(configuration, limits: ChromiumLimits(), hooks: ChromiumHooks(script: script))
    }

    /// - Parameter environment: What is looked at, and what the browser gets; `nil` for the process's own.
    init(
        _ configuration: ChromiumConfiguration, limits: ChromiumLimits, environment: [String: String]? = nil,
        hooks: ChromiumHooks = ChromiumHooks()
    ) {
        self.configuration = configuration
        self.limits = limits
        self.environment = environment
        self.hooks = hooks
    }

    /// The first of Chromium, Chrome and Edge that is installed: its path, or `nil` if there is none.
    ///
    /// They are looked for by their names in `PATH`, and where their packages put them.
    public static func findExecutable() -> String? {
        ChromiumExecutable(environment: ProcessInfo.processInfo.environment).path
    }

    /// `true`: the browser belongs to the application, which sees every address before it is asked for.
    public var isEmbeddedWebView: Bool { true }

    /// Starts a browser, opens the page in it, and returns when the login has ended and the browser is gone.
    ///
    /// - Throws: `PresentationFailure.dismissed`; `PresentationFailure.load` with a ``ChromiumError``; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        do {
            return try await show(presentation)
        } catch let failure as PresentationFailure where !Task.isCancelled {
            throw failure
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { throw CancellationError() }
            throw PresentationFailure.load(error)
        }
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

    /// The folder for temporary files, without a slash at its end.
    private static func temporaryFolder(_ environment: [String: String]) -> String {
        let folder = environment["TMPDIR"] ?? FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }
}
#endif
