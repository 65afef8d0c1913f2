#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error type whose cases have their texts in a table, as those of generated methods do.
///
/// Code, description, failure reason and recovery suggestion follow from the table and from what an error carries.
public protocol DescribedError: AuthenticationError {
    /// The cases, with their texts.
    static var table: ErrorTable { get }
    /// Which of ``descriptions`` the error has, and what it carries that they speak of.
    var occurrence: ErrorOccurrence { get }
}

/// One error of a ``DescribedError``: its place in the table, and what it carries that is part of its texts.
public struct ErrorOccurrence: Sendable {
    /// The index of its texts.
    public let number: Int
    /// What is wrong, in the error's own words.
    public let detail: String?
    /// What it comes of. Errors of others can hold a token or a page, so only the runtime's own speak for themselves.
    public let error: (any Error)?
    /// Where a response came from, of which the origin is shown.
    public let url: URL?
    /// The status of a response.
    public let status: Int?
    /// Whether `error` is about a page: one that has refused what was entered has texts of its own.
    fileprivate let isOfPage: Bool

    /// Makes an occurrence.
    public init(_ number: Int, detail: String? = nil, error: (any Error)? = nil, url: URL? = nil, status: Int? = nil) {
        self.number = number
        self.detail = detail
        self.error = error
        self.url = url
        self.status = status
        isOfPage = false
    }

    /// Makes an occurrence that comes of a page, which was not shown, or has refused what was entered.
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

    /// What happened.
    public var errorDescription: String? { texts.description }

    /// Why it happened, as far as that is known and no secret.
    public var failureReason: String? { texts.reason }

    /// What to do about it.
    public var recoverySuggestion: String? { texts.recovery }

    /// None.
    public var helpAnchor: String? { nil }

    /// The texts of the error, for protocols that have defaults of their own for them.
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
    /// What the authorization server said; `nil` where the error is about something else.
    public var serverError: OAuth2ServerError? { occurrence.error as? OAuth2ServerError }
}
