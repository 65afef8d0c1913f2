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
            no presenter is available for \(method): \(missing.joined(separator: ", ")); log in where there is a display and a \
            browser, or where there is a terminal if the login ends at a redirect URL, or use a method that needs no user, such as \
            client credentials
            """
        case .noChromium:
            "Chromium was requested but not found; install it, such as with the package chromium, or choose another presenter"
        }
    }
}

extension AutomaticPresenterError: LocalizedError {
    public var errorDescription: String? { description }
}
