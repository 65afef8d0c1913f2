#if os(macOS) || os(Linux)
public import Countersign

/// Shows a login with the presenter that suits the machine and the login: the system's browser, Chromium, or the terminal.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = AutomaticPresenter()
/// ```
///
/// | the login ends in | taken, the first that is there |
/// |---|---|
/// | a redirect to this machine (`http://127.0.0.1/…`) | the system's browser, if there is a display or `BROWSER` names a program; Chromium, if there is a display; the terminal |
/// | another redirect, such as to an application's own scheme | Chromium, if there is a display; the terminal |
/// | cookies | Chromium, if there is a display |
/// | a page that the user opens on another device, with a code (RFC 8628) or without one | the terminal |
///
/// There is a display if `DISPLAY` or `WAYLAND_DISPLAY` is set, and on macOS unless the user has logged in by SSH. Over SSH, the
/// terminal takes precedence where it can be used. In continuous integration (`CI` is set) only headless Chromium is used, for
/// pages that need no user. If the system's browser cannot be opened, the next presenter is used.
///
/// The selected presenter and the reason are reported. If none can be used, the error names the reasons. A choice overrides the
/// selection, but Chromium always needs a display or `CI`, since no user could see its page:
///
/// ```swift
/// configuration.presenter = AutomaticPresenter(.terminal)
/// ```
public struct AutomaticPresenter: WebPresenter {
    private let choice: PresenterChoice?
    private let factory: PresenterFactory
    private let report: @Sendable (PresenterSelection) -> Void

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - choice: The presenter to use; `nil` to select one.
    ///   - port: The port to listen on, for servers that require a fixed port, contrary to RFC 8252; `nil` for a free port.
    ///   - timeout: The time limit of the login.
    ///   - report: Called before a login is shown, with the selected presenter. By default the selection is printed on the
    ///     terminal.
    public init(
        _ choice: PresenterChoice? = nil, port: UInt16? = nil, timeout: Duration = .seconds(300),
        report: @escaping @Sendable (PresenterSelection) -> Void = AutomaticPresenter.showOnTerminal
    ) {
        self.init(choice, factory: .standard(port: port, timeout: timeout), report: report)
    }

    /// Creates a presenter that uses a given terminal, if there is one.
    package init(_ choice: PresenterChoice? = nil, port: UInt16? = nil, on terminal: Terminal?) {
        self.init(choice, factory: .standard(port: port, timeout: .seconds(300)) { terminal }) { selection in
            terminal?.write(paragraph: "\(selection)")
        }
    }

    init(
        _ choice: PresenterChoice?, factory: PresenterFactory, report: @escaping @Sendable (PresenterSelection) -> Void
    ) {
        self.choice = choice
        self.factory = factory
        self.report = report
    }

    /// Prints a selection on the process's terminal, if it has one.
    @Sendable
    public static func showOnTerminal(_ selection: PresenterSelection) { Terminal.standard?.write(paragraph: "\(selection)") }

    /// `true`, for presenters that require it.
    public var choosesRedirectURL: Bool { true }

    /// Selects a presenter and shows the login with it.
    ///
    /// - Throws: `PresentationFailure.load` with an ``AutomaticPresenterError``; the errors of the selected presenter.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let environment = factory.survey()
        if let choice {
            guard choice != .chromium || environment.display != nil || environment.isAutomated else {
                throw PresentationFailure.load(
                    AutomaticPresenterError.noneFits(
                        authenticationMethod: presentation.authenticationMethod,
                        missing: ["there is no display for Chromium (for a page that needs no user, set CI=true)"]))
            }
            return try await present(presentation, with: PresenterSelection(choice, because: "it was requested"), in: environment)
        }
        let ending = LoginEnding(of: presentation)
        var selections = environment.selections(for: ending)
        guard let last = selections.popLast() else {
            throw PresentationFailure.load(
                AutomaticPresenterError.noneFits(
                    authenticationMethod: presentation.authenticationMethod, missing: environment.missing(for: ending)))
        }
        for selection in selections {
            do {
                return try await present(presentation, with: selection, in: environment)
            } catch PresentationFailure.load(is SystemBrowserError) {
                // The browser could not be opened, so the user has not seen the login yet.
                continue
            }
        }
        return try await present(presentation, with: last, in: environment)
    }

    private func present(
        _ presentation: WebPresentation, with selection: PresenterSelection, in environment: PresenterEnvironment
    ) async throws -> WebPresentationResult {
        guard let presenter = factory.make(selection.choice, environment) else {
            throw PresentationFailure.load(AutomaticPresenterError.noChromium)
        }
        report(selection)
        guard !presenter.choosesRedirectURL, let url = presentation.redirect?.url,
            let ready = try await presentation.redirected(to: url)
        else { return try await presenter.present(presentation) }
        return try await presenter.present(ready)
    }
}

extension AutomaticPresenter: UserCodePresenter {
    /// Shows the page and its code on the terminal, independently of the choice.
    ///
    /// - Throws: `PresentationFailure.load` with an ``AutomaticPresenterError``; the errors of ``TerminalPresenter``.
    public func present(_ presentation: UserCodePresentation) async throws {
        let environment = factory.survey()
        guard environment.hasTerminal, let presenter = factory.make(.terminal, environment) as? any UserCodePresenter else {
            throw PresentationFailure.load(
                AutomaticPresenterError.noneFits(
                    authenticationMethod: presentation.authenticationMethod, missing: ["there is no terminal to show a code"]))
        }
        let action = presentation.userCode.isEmpty ? "can log in" : "types a code"
        report(PresenterSelection(.terminal, because: "the user \(action) on another device"))
        try await presenter.present(presentation)
    }
}
#endif
