public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why ``AutomaticPresenter`` has selected no presenter. It names methods and contains nothing of a URL.
public enum AutomaticPresenterError: SecretFreeError, Sendable, Hashable {
    /// No available presenter can show the login. `missing` has the reasons, each as a part of a sentence.
    case noneFits(authenticationMethod: String, missing: [String])
    /// Chromium was chosen and is not installed.
    case noChromium
}

extension AutomaticPresenterError {
    public var description: String {
        switch self {
        case .noneFits(let method, let missing):
            """
            no presenter fits \(method) here: \(missing.joined(separator: ", ")); log in where there is a display and a browser, or \
            where there is a terminal if the login comes back to a redirect URL, or use a method that needs no user, such as \
            client credentials
            """
        case .noChromium:
            "Chromium was asked for and not found; install it, such as by the package chromium, or ask for another presenter"
        }
    }
}

extension AutomaticPresenterError: LocalizedError {
    public var errorDescription: String? { description }
}
