public import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TerminalPresenter: UserCodePresenter {
    /// Shows the URL where the user logs in, its QR code, and the code that the user enters there if there is one. No other login uses
    /// the terminal until this one has ended or the code has expired.
    ///
    /// Nothing is read. Ctrl-C keeps its usual effect on the process.
    ///
    /// - Throws: `PresentationFailure.load` with a ``TerminalError``; `CancellationError`.
    public func present(_ presentation: UserCodePresentation) async throws {
        guard let terminal else { throw PresentationFailure.load(TerminalError.noTerminal) }
        let time = min(presentation.lifetime ?? timeout, timeout)
        // The lifetime of the code also elapses while another login uses the terminal.
        let end = now().addingTimeInterval(time / .seconds(1))
        try await terminal.turns.take(until: { end }) { other in
            let time = Deadline(date: other, timeZone: timeZone).time
            terminal.write(
                paragraph:
                    """
                    Another login is using this terminal, until \(time) at the latest. \
                    The login for \(presentation.authenticationMethod) is next.
                    """
            )
        } _: {
            UserCodeView(presentation, until: Deadline(date: end, timeZone: timeZone)).show(on: terminal)
            try await clock.sleep(for: .seconds(max(end.timeIntervalSince(now()), 0)))
        }
    }
}

/// The information with which a user approves a device without a browser (RFC 8628, section 3.3): a code, and the URL where it is
/// entered.
struct UserCodeView: Sendable {
    private let presentation: UserCodePresentation
    private let deadline: Deadline

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - presentation: The code and the URL.
    ///   - deadline: The expiration time of the code.
    init(_ presentation: UserCodePresentation, until deadline: Deadline) {
        self.presentation = presentation
        self.deadline = deadline
    }

    /// Shows the code on a terminal.
    func show(on terminal: Terminal) {
        let address = presentation.verificationURL.absoluteString
        terminal.write("\n")
        terminal.write(paragraph: "Login for \(presentation.authenticationMethod), in a browser on this or any other device.")
        terminal.write("\n")
        terminal.writeCode(of: presentation.completeURL?.absoluteString ?? address)
        let code = shownCode
        terminal.write("Open this address:\n\n\(address)\n\n" + (code.isEmpty ? "" : "and type this code there: \(code)\n\n"))
        terminal.write("Waiting for the login until \(deadline.time). Ctrl-C ends it.\n")
    }

    /// The code without control characters, since it comes from a server.
    private var shownCode: String {
        String(
            String.UnicodeScalarView(
                presentation.userCode.unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: false
                    default: true
                    }
                }))
    }
}
