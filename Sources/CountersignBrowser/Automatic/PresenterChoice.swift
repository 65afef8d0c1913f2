/// A presenter that ``AutomaticPresenter`` can select.
public enum PresenterChoice: String, Sendable, Hashable, CaseIterable {
    /// The system's browser with a loopback redirect: ``LoopbackPresenter``.
    case systemBrowser = "system-browser"
    /// A browser under the application's control that sees cookies and every URL: in a window, or, in continuous integration
    /// without a display, headless. ``ChromiumPresenter``.
    case chromium
    /// The terminal, where the user pastes the redirect URL: ``TerminalPresenter``.
    case terminal
}

/// The selection of ``AutomaticPresenter``, with the reason.
public struct PresenterSelection: Sendable, Hashable, CustomStringConvertible {
    /// The presenter.
    public let choice: PresenterChoice
    /// The reason, as a clause after "because". It names environment variables and programs, and contains nothing of a login.
    public let reason: String

    init(_ choice: PresenterChoice, because reason: String) {
        self.choice = choice
        self.reason = reason
    }

    /// One sentence, such as "Logging in with the terminal, because there is no display."
    public var description: String { "Logging in with \(choice.name), because \(reason)." }
}

extension PresenterChoice {
    var name: String {
        switch self {
        case .systemBrowser: "the system's browser"
        case .chromium: "Chromium"
        case .terminal: "the terminal"
        }
    }
}
