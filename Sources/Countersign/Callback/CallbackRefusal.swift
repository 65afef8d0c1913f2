#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why a URL that another application opened this one with is ignored. It never contains a value of the URL.
public enum CallbackRefusal: SecretFreeError, Sendable, Hashable {
    /// No page waits for this URL.
    case notAwaited
    /// Several pages wait for this URL, and the target is ambiguous. Give their authenticators different schemes, or start one
    /// login after the other has ended.
    case ambiguous(waiting: Int)
    /// The URL comes from an application other than the expected one, or its sender is unknown.
    case otherApplication
    /// The query cannot be decoded.
    case malformed
    /// A name occurs more than once in the query.
    case repeatedParameter
    /// A value that the page needs is missing or empty. The associated value is its name.
    case missingParameter(String)
    /// The presenter that shows the page cannot navigate it to another URL.
    case presenterCannotMove

    public var description: String {
        switch self {
        case .notAwaited: "No login page is waiting for this URL."
        case .ambiguous(let count): "\(count) login pages are waiting for this URL; give their authenticators different schemes."
        case .otherApplication: "The URL does not come from the application that the authenticator expects."
        case .malformed: "The query of the URL cannot be decoded."
        case .repeatedParameter: "The query of the URL has a name more than once."
        case .missingParameter(let name): "The query of the URL has no value for '\(name)'."
        case .presenterCannotMove: "The presenter that shows the page cannot navigate it to another URL."
        }
    }
}

extension CallbackRefusal: LocalizedError {
    public var errorDescription: String? { description }
}
