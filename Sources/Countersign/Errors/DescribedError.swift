#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error type whose texts are in a table, as those of generated methods are.
///
/// Code, description, failure reason and recovery suggestion are computed from the table and the error's associated values.
public protocol DescribedError: AuthenticationError {
    /// The cases, with their texts.
    static var table: ErrorTable { get }
    /// The index in ``descriptions``, and the associated values that its texts use.
    var occurrence: ErrorOccurrence { get }
}

/// An occurrence of a ``DescribedError``: its index in the table, and the values for its texts.
public struct ErrorOccurrence: Sendable {
    /// The index of its texts.
    public let number: Int
    /// A sentence about this occurrence.
    public let detail: String?
    /// The underlying error. Only the runtime's own errors are quoted, since others can contain a token or a page.
    public let error: (any Error)?
    /// The URL of a response, of which the origin is shown.
    public let url: URL?
    /// The status of a response.
    public let status: Int?
    /// Whether `error` belongs to a page. A page that has refused the user's input has its own texts.
    fileprivate let isOfPage: Bool

    /// Creates an occurrence.
    public init(_ number: Int, detail: String? = nil, error: (any Error)? = nil, url: URL? = nil, status: Int? = nil) {
        self.number = number
        self.detail = detail
        self.error = error
        self.url = url
        self.status = status
        isOfPage = false
    }

    /// Creates an occurrence for a page that could not be shown, or that refused the user's input.
    public init(_ number: Int, page error: any Error) {
        self.number = number
        self.error = error
        detail = nil
        url = nil
        status = nil
        isOfPage = true
    }
}

extension DescribedError {
    /// The method's name in its spec.
    public static var authenticationMethod: String { table.method }

    /// The texts of the cases.
    public static var descriptions: [ErrorDescription] { table.descriptions }

    /// The case's name.
    public var code: String { Self.descriptions[occurrence.number].code }

    /// The description of the error.
    public var errorDescription: String? { texts.description }

    /// The failure reason, without secrets; `nil` if unknown.
    public var failureReason: String? { texts.reason }

    /// The recovery suggestion.
    public var recoverySuggestion: String? { texts.recovery }

    /// Always `nil`.
    public var helpAnchor: String? { nil }

    /// The texts of the error, for protocols with default implementations of their own.
    package var texts: ErrorTexts { ErrorTexts(occurrence, of: Self.descriptions[occurrence.number]) }
}

/// The texts of one error.
package struct ErrorTexts {
    package let description: String
    package let reason, recovery: String?

    fileprivate init(_ occurrence: ErrorOccurrence, of texts: ErrorDescription) {
        typealias Code = GeneratedCodeVersion3
        if occurrence.isOfPage, let error = occurrence.error {
            description = Code.errorDescription(texts.summary, error: error)
            recovery = Code.recoverySuggestion(texts.recovery, error: error)
        } else {
            description = texts.summary
            recovery = texts.recovery
        }
        let isPlain = occurrence.detail == nil && occurrence.error == nil && occurrence.status == nil
        reason =
            isPlain
            ? texts.reason
            : Code.failureReason(
                texts.reason, detail: occurrence.detail, error: occurrence.error, url: occurrence.url, status: occurrence.status)
    }
}

extension OAuth2ServerErrorCarrying where Self: DescribedError {
    /// The error response of the authorization server; `nil` if the error has another cause.
    public var serverError: OAuth2ServerError? { occurrence.error as? OAuth2ServerError }
}
