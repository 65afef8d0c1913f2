public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why a ``TerminalPresenter`` has no result. It names methods, and contains nothing of a URL.
public enum TerminalError: SecretFreeError, Sendable, Hashable {
    /// The login ends at a URL of the server with cookies in the browser, as SAML's does.
    case fixedFinish(authenticationMethod: String)
    /// The process has no controlling terminal, or runs in the background.
    case noTerminal
    /// The response did not arrive within the time limit.
    case timedOut(Duration)
}

extension TerminalError {
    public var description: String {
        switch self {
        case .fixedFinish(let method):
            """
            \(method) ends in cookies of the browser that shows it, and these cannot be pasted into a terminal; use a presenter that has \
            a browser of its own, such as ChromiumPresenter or a web view, or FormFillingPresenter where no user is needed
            """
        case .noTerminal:
            """
            there is no terminal to show the address of the login and to read the response; run the program in the foreground of a \
            terminal (ssh needs -t for a command), or use a presenter that needs none
            """
        case .timedOut(let timeout):
            "no response was pasted or arrived from the browser within \(timeout.words); start the login again"
        }
    }
}

extension TerminalError: LocalizedError {
    public var errorDescription: String? { description }
}
