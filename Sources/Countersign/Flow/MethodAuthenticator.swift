public import HTTPTypes

/// Runs a method's flow for a session: one at a time, shared by all who need it.
///
/// CONTRACT: implemented by the runtime's owner; the signatures here are what generated code uses.
public final class MethodAuthenticator<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    /// The method that is run.
    public let method: Method<Parameters, Failure>
    /// What it is run with.
    public let parameters: Parameters
    /// Shows the pages of the flow; `nil` takes the session's own.
    public let presenter: (any WebPresenter)?

    /// Makes an authenticator.
    public init(method: Method<Parameters, Failure>, parameters: Parameters, presenter: (any WebPresenter)? = nil) {
        self.method = method
        self.parameters = parameters
        self.presenter = presenter
    }

    /// Authenticates now, without a challenge.
    ///
    /// - Throws: the method's `busy` error if a flow of this authenticator is running; the method's other errors;
    ///   ``CountersignError``; `CancellationError`.
    public func authenticate(in session: Session) async throws { fatalError("contract") }

    /// Ends the running flow; all who wait for it get the method's error for a dismissed page. Does nothing when no flow runs.
    public func cancel() { fatalError("contract") }
}

/// Recognises the challenges of a method and answers them with its authenticator: what a generated observer is made of.
public final class MethodObserver<Parameters: Sendable, Failure: AuthenticationError>: SessionObserver {
    public let name: String
    public let authenticator: MethodAuthenticator<Parameters, Failure>

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - authenticator: Answers the challenges.
    ///   - authenticate: Replaces the authenticator's flow by the application's own; run under the same flight.
    ///   - isChallenge: Replaces the native comparison of heads by the application's own; asked once per response.
    public init(
        name: String, authenticator: MethodAuthenticator<Parameters, Failure>,
        authenticate: (@Sendable (Session) async throws -> Void)? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil
    ) { fatalError("contract") }
}
