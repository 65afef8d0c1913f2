public import HTTPTypes

/// A form that is sent to a token endpoint, and whose answer is read as a token (RFC 6749, sections 3.2, 5.1 and 5.2).
///
/// Other than an ``HTTPCall`` it goes through the observers of the session that sends it, which attach no token to it, and it ends in the errors
/// that the method has for what those sections know.
public struct TokenCall: Sendable, Hashable {
    /// Why a token endpoint gives no token.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The server said why.
        case server
        /// A status without an explanation.
        case status
        /// No connection could be made.
        case network
        /// The connection brought no whole response.
        case noResponse = "no-response"
        /// A response of status 200 without a token that could be used.
        case decode
    }

    /// The token endpoint.
    public let url: ProgramTemplate
    /// The client, and how it authenticates; `nil` where the form says it, or the application.
    public let client: HTTPCall.Client?
    /// What is sent.
    public let form: NamedList<HTTPCall.Member>
    /// The slot of the application's last word on the request, ``ProgramParameters/preparation(at:)``; `nil` for none.
    public let preparation: Int?
    /// The errors for what can go wrong, by numbers as in ``MethodProgram/errors``; what is not here is a ``CountersignError``.
    public let failures: [Failure: Int]

    /// Makes a call.
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

/// Changes a request before it is sent; gets head and body.
public typealias RequestPreparation = @Sendable (inout HTTPRequest, inout [UInt8]) throws -> Void

extension RequestFailure {
    /// What it is to a ``TokenCall``.
    var kind: TokenCall.Failure {
        switch self {
        case .network: .network
        case .noResponse: .noResponse
        case .server: .server
        case .status: .status
        case .unreadable: .decode
        }
    }

    /// What an error of the method's carries: what others have said where it comes from them, else the failure itself.
    var cause: any Error {
        switch self {
        case .network(let error), .noResponse(let error): error
        case .server(let error, _): error
        case .status, .unreadable: self
        }
    }

    /// What an error of the method's says.
    var detail: String { if case .unreadable(_, let problem) = self { problem } else { summary } }
}
