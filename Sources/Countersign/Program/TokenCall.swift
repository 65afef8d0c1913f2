public import HTTPTypes

/// A form request to a token endpoint, whose response is read as a token (RFC 6749, sections 3.2, 5.1 and 5.2).
///
/// Unlike an ``HTTPCall`` it passes through the observers of the session that sends it, which attach no token to it, and it fails
/// with the method's errors for token requests.
public struct TokenCall: Sendable, Hashable {
    /// The reason why a token request fails.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The server sent an OAuth error response.
        case server
        /// A status without an OAuth error.
        case status
        /// No connection could be established.
        case network
        /// The connection did not deliver a complete response.
        case noResponse = "no-response"
        /// A response with status 200 without a usable token.
        case decode
    }

    /// The token endpoint.
    public let url: ProgramTemplate
    /// The client with its authentication; `nil` if the form or the application provides it.
    public let client: HTTPCall.Client?
    /// The form.
    public let form: NamedList<HTTPCall.Member>
    /// The slot of the application's function that prepares the request, ``ProgramParameters/preparation(at:)``; `nil` for none.
    public let preparation: Int?
    /// The errors for failures, by their number in ``MethodProgram/errors``. Other failures are a ``CountersignError``.
    public let failures: [Failure: Int]

    /// Creates a call.
    public init(
        _ url: ProgramTemplate, client: HTTPCall.Client? = nil, form: NamedList<HTTPCall.Member>, preparation: Int? = nil,
        failures: [Failure: Int] = [:]
    ) {
        self.url = url
        self.client = client
        self.form = form
        self.preparation = preparation
        self.failures = failures
    }
}

/// Changes the head and the body of a request before it is sent.
public typealias RequestPreparation = @Sendable (inout HTTPRequest, inout [UInt8]) throws -> Void

extension RequestFailure {
    /// The kind of failure for which a ``TokenCall`` may have an error.
    var kind: TokenCall.Failure {
        switch self {
        case .network: .network
        case .noResponse: .noResponse
        case .server: .server
        case .status: .status
        case .unreadable: .decode
        }
    }

    /// The cause for the method's error: the error of the transport or the server if there is one, otherwise the failure itself.
    var cause: any Error {
        switch self {
        case .network(let error), .noResponse(let error): error
        case .server(let error, _): error
        case .status, .unreadable: self
        }
    }

    /// The detail for the method's error.
    var detail: String { if case .unreadable(_, let problem) = self { problem } else { summary } }
}
