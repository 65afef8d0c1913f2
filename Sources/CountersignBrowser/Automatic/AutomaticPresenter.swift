#if os(macOS) || os(Linux)
public import Countersign

/// Shows a login with the presenter that fits the machine and the login: the system's browser, Chromium, or the terminal.
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
/// | a code that the user types on another device (RFC 8628) | the terminal |
///
/// A display is one that `DISPLAY` or `WAYLAND_DISPLAY` names, and on macOS the screen, unless the user has logged in by SSH. Over SSH, the terminal
/// comes first where it fits. In continuous integration (`CI` is set) there is no user to log in, so only Chromium without a window
/// is taken, for pages that need no user. If the system's browser cannot be opened, the next is taken.
///
/// Which presenter is taken, and why, is reported, and so is in an error why none is. To be asked for a presenter is enough to take it:
///
/// ```swift
/// configuration.presenter = AutomaticPresenter(.terminal)
/// ```
public struct AutomaticPresenter: WebPresenter {
    private let choice: PresenterChoice?
    private let workshop: PresenterWorkshop
    private let report: @Sendable (PresenterSelection) -> Void

    /// Makes a presenter.
    ///
    /// - Parameters:
    ///   - choice: The presenter to take, whatever is there; `nil` to choose.
    ///   - port: A port to listen on, for a server that compares redirect URLs with it, against RFC 8252; `nil` for a free one.
    ///   - timeout: How long the user may take.
    ///   - report: Called before a login is shown, with the presenter that is taken. Unless it is given, a terminal shows it.
    public init(
        _ choice: PresenterChoice? = nil, port: UInt16? = nil, timeout: Duration = .seconds(300),
        report: @escaping @Sendable (PresenterSelection) -> Void = AutomaticPresenter.showOnTerminal
    ) {
        self.init(choice, workshop: .standard(port: port, timeout: timeout), report: report)
    }

    /// Makes a presenter that shows on a terminal, if there is one.
    package init(_ choice: PresenterChoice? = nil, port: UInt16? = nil, on terminal: Terminal?) {
        self.init(choice, workshop: .standard(port: port, timeout: .seconds(300)) { terminal }) { selection in
            terminal?.write(paragraph: "\(selection)")
        }
    }

    init(
        _ choice: PresenterChoice?, workshop: PresenterWorkshop, report: @escaping @Sendable (PresenterSelection) -> Void
    ) {
        self.choice = choice
        self.workshop = workshop
        self.report = report
    }

    /// Shows a selection on the terminal of the process, if it has one.
    @Sendable
    public static func showOnTerminal(_ selection: PresenterSelection) { Terminal.standard?.write(paragraph: "\(selection)") }

    /// `true`, for those that do.
    public var choosesRedirectURL: Bool { true }

    /// Takes a presenter and shows the login with it.
    ///
    /// - Throws: `PresentationFailure.load` with an ``AutomaticPresenterError``; what the presenter throws that is taken.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let environment = workshop.survey()
        if let choice {
            return try await present(presentation, with: PresenterSelection(choice, because: "it was asked for"), in: environment)
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
                // Nothing was shown, so nothing is lost with the next.
                continue
            }
        }
        return try await present(presentation, with: last, in: environment)
    }

    private func present(
        _ presentation: WebPresentation, with selection: PresenterSelection, in environment: PresenterEnvironment
    ) async throws -> WebPresentationResult {
        guard let presenter = workshop.make(selection.choice, environment) else {
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
    /// Shows the code at the terminal, whatever presenter was asked for.
    ///
    /// - Throws: `PresentationFailure.load` with an ``AutomaticPresenterError``; what ``TerminalPresenter`` throws.
    public func present(_ presentation: UserCodePresentation) async throws {
        let environment = workshop.survey()
        guard environment.hasTerminal, let presenter = workshop.make(.terminal, environment) as? any UserCodePresenter else {
            throw PresentationFailure.load(
                AutomaticPresenterError.noneFits(
                    authenticationMethod: presentation.authenticationMethod, missing: ["there is no terminal to show a code at"]))
        }
        report(PresenterSelection(.terminal, because: "the user types a code on another device"))
        try await presenter.present(presentation)
    }
}
#endif
