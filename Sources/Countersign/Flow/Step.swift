#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One step of a flow, as the spec's `flow:` lists it.
public enum Step<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    /// Opens a URL until another ends the flow, and takes the cookies.
    case present(PresentStep<Parameters, Failure>)
    /// Ends with an error of the method.
    case fail(Failure)
}

/// Opens a page in a presenter until a URL ends the flow.
public struct PresentStep<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    /// The page to open.
    public let url: Template<Parameters, URL>
    /// The URL that ends the flow.
    public let finish: Template<Parameters, URL>
    /// How it is compared.
    public let match: FinishRule.Match
    /// The method's error for a presenter's failure; `nil` where the spec maps none.
    public let failure: @Sendable (PresentationFailure) -> Failure?

    /// Makes a step.
    public init(
        url: Template<Parameters, URL>, finish: Template<Parameters, URL>, match: FinishRule.Match,
        failure: @escaping @Sendable (PresentationFailure) -> Failure?
    ) {
        self.url = url
        self.finish = finish
        self.match = match
        self.failure = failure
    }
}
