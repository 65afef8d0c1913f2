#if os(macOS) || os(Linux)
internal import Countersign
internal import Foundation

/// Inspects the environment and creates presenters. Tests replace both functions.
struct PresenterFactory: Sendable {
    /// Inspects the environment.
    let survey: @Sendable () -> PresenterEnvironment
    /// Creates a presenter; `nil` if it is not available.
    let make: @Sendable (PresenterChoice, PresenterEnvironment) -> (any WebPresenter)?

    /// Returns the factory for the real environment.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; `nil` for a free port.
    ///   - timeout: The time limit of a login.
    ///   - terminal: Returns the terminal; `nil` if there is none.
    static func standard(
        port: UInt16?, timeout: Duration, terminal: @escaping @Sendable () -> Terminal? = { Terminal.standard }
    ) -> PresenterFactory {
        PresenterFactory {
            let variables = ProcessInfo.processInfo.environment
            let launchers = Launchers(environment: variables)
            return PresenterEnvironment(
                variables: variables, isMac: isMac, hasTerminal: terminal() != nil,
                hasNamedBrowser: launchers.hasNamedProgram, hasSystemBrowser: !launchers.programs().isEmpty,
                hasChromium: ChromiumPresenter.findExecutable() != nil)
        } make: { choice, environment in
            switch choice {
            case .systemBrowser: LoopbackPresenter(port: port, timeout: timeout)
            // Without a display, it is used only for pages that need no user.
            case .chromium: chromium(isHeadless: environment.display == nil, timeout: timeout)
            case .terminal: TerminalPresenter(terminal: terminal(), port: port, timeout: timeout, clock: ContinuousClock())
            }
        }
    }

    /// Returns a presenter with Chromium; `nil` if it is not installed.
    private static func chromium(isHeadless: Bool, timeout: Duration) -> (any WebPresenter)? {
        ChromiumPresenter.findExecutable().map {
            ChromiumPresenter(ChromiumConfiguration(executable: $0, isHeadless: isHeadless, timeout: timeout))
        }
    }

    #if os(macOS)
    private static let isMac = true
    #else
    private static let isMac = false
    #endif
}
#endif
