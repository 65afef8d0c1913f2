#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the steps of a flow are run with, whatever comes of them.
struct FlowContext<Failure: AuthenticationError>: Sendable {
    /// The method's name in its spec.
    let authenticationMethod: String
    /// The method's error for an argument that cannot be used.
    let invalidArgument: (@Sendable (_ detail: String) -> Failure)?
    /// Shows the pages; `nil` takes the session's own.
    let presenter: (any WebPresenter)?
    /// Sends the flow's own requests, and lends its cookies and its way to servers to pages.
    let session: Session
    /// Time and chance.
    let clock: TokenClock
    /// Is told of the steps.
    let report: @Sendable (SessionEvent.Kind) -> Void

    /// An error of the runtime that belongs to this method.
    func error(
        _ code: CountersignError.Code, _ detail: String, at origin: Origin? = nil, status: Int? = nil
    ) -> CountersignError {
        CountersignError(code, detail: detail, authenticationMethod: authenticationMethod, origin: origin, status: status)
    }

    /// Throws unless a URL is one that credentials may be sent to.
    ///
    /// - Parameter name: What the spec calls it, such as `{tokenEndpointURL}`.
    func check(_ url: URL, calledAs name: String) throws {
        guard let origin = Origin(url) else { throw unusable("\(name) is not an absolute http or https URL", .invalidRequest) }
        try check(origin, calledAs: name)
    }

    /// Throws unless a redirect URL can be waited for: an address of the application's own scheme, or one that a code may be sent to.
    func check(redirect url: URL, calledAs name: String) throws {
        guard let scheme = url.scheme, !scheme.isEmpty else {
            throw unusable("\(name) is not an absolute URL", .invalidRequest)
        }
        guard let origin = Origin(url) else { return }
        try check(origin, calledAs: name)
    }

    private func check(_ origin: Origin, calledAs name: String) throws {
        guard origin.isPrivate else {
            throw unusable(
                "\(name) leads to \(origin), where credentials would be sent unencrypted", .insecureDestination, at: origin)
        }
    }

    private func unusable(_ detail: String, _ code: CountersignError.Code, at origin: Origin? = nil) -> any Error {
        invalidArgument?(detail) ?? error(code, detail, at: origin)
    }
}
