#if os(macOS) || os(Linux)
internal import Countersign
internal import Foundation

/// Looks at what is there, and makes presenters of it; a test has others.
struct PresenterWorkshop: Sendable {
    /// Looks at what is there.
    let survey: @Sendable () -> PresenterEnvironment
    /// Makes a presenter; `nil` if it cannot be had.
    let make: @Sendable (PresenterChoice, PresenterEnvironment) -> (any WebPresenter)?

    /// The real one.
    ///
    /// - Parameters:
    ///   - port: A port to listen on; `nil` for a free one.
    ///   - timeout: How long the user may take.
    ///   - terminal: Looks for the terminal.
    static func standard(
        port: UInt16?, timeout: Duration, terminal: @escaping @Sendable () -> Terminal? = { Terminal.standard }
    ) -> PresenterWorkshop {
        PresenterWorkshop {
            let variables = ProcessInfo.processInfo.environment
            let launchers = Launchers(environment: variables)
            return PresenterEnvironment(
                variables: variables, isMac: isMac, hasTerminal: terminal() != nil,
                hasNamedBrowser: launchers.hasNamedProgram, hasSystemBrowser: !launchers.programs().isEmpty,
                hasChromium: ChromiumPresenter.findExecutable() != nil)
        } make: { choice, environment in
            switch choice {
            case .systemBrowser: LoopbackPresenter(port: port, timeout: timeout)
            case .chromium: chromium(isHeadless: environment.display == nil, timeout: timeout)
            case .terminal: TerminalPresenter(terminal: terminal(), port: port, timeout: timeout, clock: ContinuousClock())
            }
        }
    }

    /// The presenter with Chromium; `nil` if that is not here.
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
