#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a URL that another application opened this one with changes nothing. It never holds a value of the URL.
public enum CallbackRefusal: SecretFreeError, Sendable, Hashable {
    /// No page waits for such a URL.
    case notAwaited
    /// Several pages wait for it, and which one is meant is ambiguous. Give their authenticators different schemes, or let one
    /// login end before the next begins.
    case ambiguous(waiting: Int)
    /// It comes from another application than the authenticator expects, or nothing says where it comes from.
    case otherApplication
    /// Its query cannot be decoded.
    case malformed
    /// A name is in its query more than once.
    case repeatedParameter
    /// A value that the page needs is not there, or empty; its name.
    case missingParameter(String)
    /// The presenter that shows the page cannot be moved to another.
    case presenterCannotMove

    public var description: String {
        switch self {
        case .notAwaited: "No page waits for this URL."
        case .ambiguous(let count): "\(count) pages wait for this URL; give their authenticators different schemes."
        case .otherApplication: "The URL does not come from the application that the authenticator expects."
        case .malformed: "The query of the URL cannot be decoded."
        case .repeatedParameter: "The query of the URL has a name more than once."
        case .missingParameter(let name): "The query of the URL has no value for '\(name)'."
        case .presenterCannotMove: "The presenter that shows the page cannot be moved to another."
        }
    }
}

extension CallbackRefusal: LocalizedError {
    public var errorDescription: String? { description }
}
