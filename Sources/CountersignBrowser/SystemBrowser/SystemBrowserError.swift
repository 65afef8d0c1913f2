public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why the system's browser did not open a page. It names programs, and contains nothing of the page's URL.
public enum SystemBrowserError: SecretFreeError, Sendable, Hashable {
    /// No program was found. `tried` has the names that were searched.
    case notFound(tried: [String])
    /// Each program exited with a failure.
    case failed(programs: [String])
    /// The URL is neither `http` nor `https`.
    case notAWebAddress
}

extension SystemBrowserError {
    public var description: String {
        switch self {
        case .notFound(let names):
            """
            there is no browser here: \(names.joined(separator: ", ")) not found; install one, name its program in BROWSER, or \
            give the presenter an opener of its own
            """
        case .failed(let programs):
            "\(programs.joined(separator: ", ")) failed; check that there is a display, and that a browser is set up"
        case .notAWebAddress: "only http and https URLs are opened in a browser"
        }
    }
}

extension SystemBrowserError: LocalizedError {
    public var errorDescription: String? { description }
}
