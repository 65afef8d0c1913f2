/// The cases of a ``DescribedError``: their texts, and their mapping from causes.
public struct ErrorTable: Sendable {
    /// The name of the method in its spec.
    public let method: String
    /// The texts of the cases.
    public let descriptions: [ErrorDescription]
    private let make: [@Sendable (ErrorCause) -> (any AuthenticationError)?]

    /// Creates the table of an error type.
    public init<Failure: AuthenticationError>(of type: Failure.Type, _ method: String, _ cases: [ErrorCase<Failure>]) {
        self.method = method
        descriptions = cases.map { errorCase in
            ErrorDescription(
                type: "\(type)", code: errorCase.code, summary: errorCase.summary, reason: errorCase.reason,
                recovery: errorCase.recovery)
        }
        make = cases.map { errorCase in { errorCase.make($0) } }
    }

    /// Creates a table of errors that are created elsewhere.
    public init(_ method: String, _ descriptions: [ErrorDescription]) {
        self.method = method
        self.descriptions = descriptions
        make = descriptions.map { _ in { _ in nil } }
    }

    /// Returns an error by the number of its case.
    ///
    /// - Returns: `nil` if the cause lacks an associated value of the error.
    func error(_ number: Int, _ cause: ErrorCause) -> (any AuthenticationError)? { make[number](cause) }
}

extension ErrorTable: Hashable {
    /// Compares the texts. The functions that create errors are not compared.
    public static func == (left: ErrorTable, right: ErrorTable) -> Bool {
        left.method == right.method && left.descriptions == right.descriptions
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(descriptions)
    }
}

/// A case of an error type, with the texts of an ``ErrorDescription``.
public struct ErrorCase<Failure: AuthenticationError>: Sendable {
    fileprivate let code, summary: String
    fileprivate var reason, recovery: String?
    fileprivate let make: @Sendable (ErrorCause) -> Failure?

    /// Creates a case with associated values from a cause.
    ///
    /// - Parameters:
    ///   - code: The name of the case.
    ///   - make: Creates the error; returns `nil` if the cause lacks an associated value.
    ///   - summary: The description.
    public init(_ code: String, _ make: @escaping @Sendable (ErrorCause) -> Failure?, _ summary: String) {
        self.code = code
        self.summary = summary
        self.make = make
    }

    /// Creates a case without associated values.
    public init(_ code: String, _ error: Failure, _ summary: String) { self.init(code, { _ in error }, summary) }

    /// Creates a case that only other code throws.
    public init(_ code: String, _ summary: String) { self.init(code, { _ in nil }, summary) }

    /// Returns the case with a failure reason.
    public func reason(_ reason: String) -> Self {
        var errorCase = self
        errorCase.reason = reason
        return errorCase
    }

    /// Returns the case with a recovery suggestion.
    public func recovery(_ recovery: String) -> Self {
        var errorCase = self
        errorCase.recovery = recovery
        return errorCase
    }
}

/// The cause of an error.
public struct ErrorCause: Sendable {
    /// A description without secrets.
    public let detail: String
    /// The underlying error.
    public let error: any Error

    /// The status of the response to one of the method's own requests.
    public var status: Int? { (error as? CountersignError)?.status }
    /// The error response of an authorization server.
    public var server: OAuth2ServerError? { error as? OAuth2ServerError }
    /// The printable parts of a failed token response; `nil` if there was no response, or if the failure has another cause.
    public var response: ResponseOutline? {
        switch error as? RequestFailure {
        case .status(let outline), .unreadable(let outline, _): outline
        case .network, .noResponse, .server, nil: nil
        }
    }
}
