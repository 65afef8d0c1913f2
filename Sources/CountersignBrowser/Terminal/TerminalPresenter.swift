public import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows the URL of a login on a terminal, to be opened in any browser on any device, and reads the redirect URL that the user
/// pastes.
///
/// It supports logins with a redirect URL, such as OAuth 2.0's authorization code grant, on machines without a display:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = TerminalPresenter()
/// ```
///
/// The terminal shows the page's URL, and its QR code if it fits the width and the terminal supports UTF-8. After the login, the
/// browser is redirected. If the redirect URL is a loopback URL (`http://127.0.0.1/…`), the presenter also listens there like a
/// ``LoopbackPresenter``, so that a browser on this machine, or one with a port forwarded through SSH, needs no further action; the
/// terminal shows the SSH command. Any other browser fails to load the redirect URL, and the user copies it from the address bar
/// into the terminal.
///
/// A URL that is not the response of this login, such as one of an earlier login, of the login page or of another site, is rejected
/// with an explanation, and the terminal asks again until the time limit. Ctrl-C ends the login as if the user had closed its page.
/// Several logins on one terminal are shown one after another.
///
/// For a login on another device (RFC 8628), the code is shown and nothing is read. A page with a form is shown by its URL, without the
/// values that only the form has.
///
/// The URL contains `state` and code challenge. It is written only to the terminal, and pasted input is not echoed.
public struct TerminalPresenter: WebPresenter {
    let terminal: Terminal?
    private let port: UInt16?
    let timeout: Duration
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let timeZone: TimeZone

    #if os(macOS) || os(Linux)
    /// Creates a presenter for the process's controlling terminal; see ``Terminal/standard``.
    ///
    /// - Parameters:
    ///   - port: The port to listen on, for servers that require a fixed port, contrary to RFC 8252; `nil` for a free port.
    ///   - timeout: The time limit of the login; 300 seconds by default.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300)) {
        self.init(terminal: Terminal.standard, port: port, timeout: timeout, clock: ContinuousClock())
    }
    #endif

    /// Creates a presenter for a terminal.
    ///
    /// - Parameters:
    ///   - terminal: The terminal.
    ///   - port: The port to listen on, for servers that require a fixed port, contrary to RFC 8252; `nil` for a free port.
    ///   - timeout: The time limit of the login; 300 seconds by default.
    public init(terminal: Terminal, port: UInt16? = nil, timeout: Duration = .seconds(300)) {
        self.init(terminal: terminal, port: port, timeout: timeout, clock: ContinuousClock())
    }

    init(
        terminal: Terminal?, port: UInt16? = nil, timeout: Duration, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date = { Date() }, timeZone: TimeZone = .current
    ) {
        self.terminal = terminal
        self.port = port
        self.timeout = timeout
        self.clock = clock
        self.now = now
        self.timeZone = timeZone
    }

    /// `true`, since the port is known only when the presenter listens.
    public var choosesRedirectURL: Bool { true }

    /// Shows the URL and waits for the response.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user ends the input; `PresentationFailure.load` with a ``TerminalError``;
    ///   `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await reportingFailures { try await show(presentation) }
    }

    private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let method = presentation.authenticationMethod
        guard let redirect = presentation.redirect else { throw TerminalError.fixedFinish(authenticationMethod: method) }
        guard let terminal else { throw TerminalError.noTerminal }
        try Task.checkCancellation()
        return try await terminal.turns.take(until: { [now, timeout] in now() + timeout }) { other in
            let time = Deadline(date: other, timeZone: timeZone).time
            terminal.write(
                paragraph: "Another login is using this terminal, until \(time) at the latest. The login for \(method) is next.")
        } _: {
            let login = try await TerminalLogin(presentation, redirect: redirect, port: port, terminal: terminal)
            let finishURL = try await answer(to: login)
            return WebPresentationResult(finishURL: finishURL, cookies: presentation.cookies, redirectURL: login.redirectURL)
        }
    }

    private func answer(to login: TerminalLogin) async throws -> URL {
        let deadline = Deadline(date: now() + timeout, timeZone: timeZone)
        login.explain(until: deadline, after: timeout)
        do {
            let answer = try await firstAnswer(to: login, until: deadline)
            login.note(answer)
            await login.close()
            return answer.url
        } catch {
            await login.close()
            throw error
        }
    }

    /// Returns the response that the user pastes or the browser delivers, whichever is first.
    private func firstAnswer(to login: TerminalLogin, until deadline: Deadline) async throws -> TerminalLogin.Answer {
        try await withThrowingTaskGroup(of: TerminalLogin.Answer?.self) { group in
            group.addTask { try await login.arrivingAnswer() }
            group.addTask { try await login.pastedAnswer(until: deadline) }
            group.addTask {
                try await clock.sleep(for: timeout)
                throw TerminalError.timedOut(timeout)
            }
            while let answer = try await group.next() {
                guard let answer else { continue }
                group.cancelAll()
                // The reading task must restore the terminal's settings before anything else is written.
                while await group.nextResult() != nil {}
                return answer
            }
            throw CancellationError()
        }
    }
}

extension Date {
    fileprivate static func + (date: Date, duration: Duration) -> Date {
        date.addingTimeInterval(duration / .seconds(1))
    }
}
