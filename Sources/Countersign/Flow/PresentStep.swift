#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Opens a page in a presenter until a redirect URL ends the flow.
public struct PresentStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// Pages that take the place of ``url`` where they can be opened, the first of them first.
    public let alternatives: [AlternativePage<Values>]
    /// The page to open.
    public let url: Template<Values, URL>
    /// What is put into the page's query; a name that is there already is replaced.
    public let query: [NamedTemplate<Values>]
    /// What ends the flow: a redirect URL that the page's query names; what counts is what the server adds to it.
    public let finish: RedirectFinish<Values, Failure>
    /// What it means if the server answers with these statuses instead of the page.
    public let explanations: [Int: String]
    /// The method's error for a presenter's failure; `nil` where the spec maps none.
    public let failure: @Sendable (PresentationFailure) -> Failure?

    /// Makes a step.
    public init(
        instead alternatives: [AlternativePage<Values>] = [], url: Template<Values, URL>, query: [NamedTemplate<Values>],
        redirect: RedirectFinish<Values, Failure>, explanations: [Int: String] = [:],
        failure: @escaping @Sendable (PresentationFailure) -> Failure?
    ) {
        self.alternatives = alternatives
        self.url = url
        self.explanations = explanations
        self.query = query
        finish = redirect
        self.failure = failure
    }
}

/// What becomes of the URL that a browser is sent back to.
///
/// Nothing of it is believed before every value of ``verify`` is what was expected: not even that it is an error.
public struct RedirectFinish<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The redirect URL.
    public let url: Template<Values, URL>
    /// Puts the redirect URL that a presenter chose into the values, so that every later use of it agrees (RFC 8252, section 7.3).
    public let move: @Sendable (inout Values, URL) -> Void
    /// What has to come back, by name; a template that gives `nil` wants nothing.
    public let verify: [NamedTemplate<Values>]
    /// What is taken out of the query, by name.
    public let capture: [Capture]
    /// The method's error for what the server sent back; `nil` where the spec maps none.
    public let failure: @Sendable (RedirectFailure) -> Failure?

    /// A value of the query that the flow goes on with.
    public struct Capture: Sendable {
        /// The name in the query.
        public let name: String
        /// Puts the value into its slot.
        public let store: @Sendable (inout Values, String) -> Void

        /// Makes a capture.
        public init(_ name: String, _ store: @escaping @Sendable (inout Values, String) -> Void) {
            self.name = name
            self.store = store
        }
    }

    /// Makes an end.
    public init(
        url: Template<Values, URL>, move: @escaping @Sendable (inout Values, URL) -> Void, verify: [NamedTemplate<Values>],
        capture: [Capture], failure: @escaping @Sendable (RedirectFailure) -> Failure?
    ) {
        self.url = url
        self.move = move
        self.verify = verify
        self.capture = capture
        self.failure = failure
    }
}

/// Why a redirect that belongs to the flow brought nothing to go on with.
public enum RedirectFailure: Error, Sendable, Hashable {
    /// The server refused (RFC 6749, section 4.1.2.1).
    case server(OAuth2ServerError)
    /// A value that the flow needs is not there; its name.
    case missing(String)
}
