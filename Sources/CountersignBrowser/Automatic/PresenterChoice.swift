/// A presenter that ``AutomaticPresenter`` can take.
public enum PresenterChoice: String, Sendable, Hashable, CaseIterable {
    /// The system's browser, which comes back to a port of this machine: ``LoopbackPresenter``.
    case systemBrowser = "system-browser"
    /// A browser that is driven, and that sees cookies and every address: in a window, or without one where there is no display.
    case chromium
    /// The terminal, where the user pastes the answer: ``TerminalPresenter``.
    case terminal
}

/// Which presenter ``AutomaticPresenter`` has taken, and why.
public struct PresenterSelection: Sendable, Hashable, CustomStringConvertible {
    /// The presenter.
    public let choice: PresenterChoice
    /// Why, in words that stand behind "because": names of variables and programs of this machine, and nothing of a login.
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
