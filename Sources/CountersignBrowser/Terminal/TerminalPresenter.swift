public import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows the address of a login on a terminal, to be opened in any browser on any device, and reads the answer that the user pastes.
///
/// For logins that come back to a redirect URL, such as OAuth 2.0's authorization code, on machines without a screen:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = TerminalPresenter()
/// ```
///
/// The terminal shows the page's URL, and its QR code if it fits in the width and the terminal shows UTF-8. After the login the browser is sent
/// to the redirect URL. If that leads to this machine (`http://127.0.0.1/…`), the presenter listens there too, as a ``LoopbackPresenter``
/// does: a browser on this machine brings the answer by itself, and so does one that reaches the port through SSH, for which the
/// terminal shows the command. Every other browser says that it cannot load the page, and its address bar has the answer: the user copies it
/// and pastes it into the terminal.
///
/// An address that is not the answer to this login, such as that of an earlier login, of the login page or of another site, ends nothing: the
/// terminal says what it is and asks again, until the time is over. Ctrl-C ends the login as if the user had closed its page. Of several
/// logins at a terminal one is shown at a time.
///
/// A login by a code that is typed on another device (RFC 8628) is shown with that code, and nothing is read.
///
/// The URL holds `state` and code challenge. It goes to the terminal and nowhere else, and what is pasted is not shown.
public struct TerminalPresenter: WebPresenter {
    let terminal: Terminal?
    private let port: UInt16?
    let timeout: Duration
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let timeZone: TimeZone

    #if os(macOS) || os(Linux)
    /// Makes a presenter for the terminal that this process was started from; see ``Terminal/standard``.
    ///
    /// - Parameters:
    ///   - port: A port to listen on, for a server that compares redirect URLs with it, against RFC 8252; `nil` for a free one.
    ///   - timeout: How long the user may take.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300)) {
        self.init(terminal: Terminal.standard, port: port, timeout: timeout, clock: ContinuousClock())
    }
    #endif

    /// Makes a presenter for a terminal.
    ///
    /// - Parameters:
    ///   - terminal: Where the login is shown and its answer is read.
    ///   - port: A port to listen on, for a server that compares redirect URLs with it, against RFC 8252; `nil` for a free one.
    ///   - timeout: How long the user may take.
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

    /// `true`: the port is known once it listens.
    public var choosesRedirectURL: Bool { true }

    /// Shows the address and waits for the answer.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user ends the input; `PresentationFailure.load` with a ``TerminalError``;
    ///   `CancellationError`.
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
        let method = presentation.authenticationMethod
        guard let redirect = presentation.redirect else { throw TerminalError.fixedFinish(authenticationMethod: method) }
        guard let terminal else { throw TerminalError.noTerminal }
        try Task.checkCancellation()
        return try await terminal.turns.take(until: { [now, timeout] in now() + timeout }) { other in
            let time = Deadline(date: other, timeZone: timeZone).time
            terminal.write(paragraph: "Another login is at this terminal, until \(time) at the latest. That of \(method) is next.")
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

    /// The answer that the user pastes or that the browser brings, whichever is first.
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
                // The terminal is as it was before anything else is written.
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
