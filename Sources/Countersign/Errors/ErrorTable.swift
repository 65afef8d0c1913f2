/// The cases of a ``DescribedError``: their texts, and how they come of what has failed.
public struct ErrorTable: Sendable {
    /// The name of the method in its spec.
    public let method: String
    /// The texts of the cases.
    public let descriptions: [ErrorDescription]
    private let make: [@Sendable (ErrorCause) -> (any AuthenticationError)?]

    /// Makes the table of an error type.
    public init<Failure: AuthenticationError>(of type: Failure.Type, _ method: String, _ cases: [ErrorCase<Failure>]) {
        self.method = method
        descriptions = cases.map { errorCase in
            ErrorDescription(
                type: "\(type)", code: errorCase.code, summary: errorCase.summary, reason: errorCase.reason,
                recovery: errorCase.recovery)
        }
        make = cases.map { errorCase in { errorCase.make($0) } }
    }

    /// Makes a table of errors that something else makes.
    public init(_ method: String, _ descriptions: [ErrorDescription]) {
        self.method = method
        self.descriptions = descriptions
        make = descriptions.map { _ in { _ in nil } }
    }

    /// An error, by the number of its case.
    ///
    /// - Returns: `nil` if the cause has not what the error carries.
    func error(_ number: Int, _ cause: ErrorCause) -> (any AuthenticationError)? { make[number](cause) }
}

extension ErrorTable: Hashable {
    /// Compares the texts: what makes errors of them is code of their type.
    public static func == (left: ErrorTable, right: ErrorTable) -> Bool {
        left.method == right.method && left.descriptions == right.descriptions
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(descriptions)
    }
}

/// A case of an error type; its texts are those of an ``ErrorDescription``.
public struct ErrorCase<Failure: AuthenticationError>: Sendable {
    fileprivate let code, summary: String
    fileprivate var reason, recovery: String?
    fileprivate let make: @Sendable (ErrorCause) -> Failure?

    /// A case with what it carries of a cause.
    ///
    /// - Parameters:
    ///   - code: Its name.
    ///   - make: Makes the error; `nil` for a cause that has not what it carries.
    ///   - summary: What happened.
    public init(_ code: String, _ make: @escaping @Sendable (ErrorCause) -> Failure?, _ summary: String) {
        self.code = code
        self.summary = summary
        self.make = make
    }

    /// A case that carries nothing.
    public init(_ code: String, _ error: Failure, _ summary: String) { self.init(code, { _ in error }, summary) }

    /// A case that only other code raises.
    public init(_ code: String, _ summary: String) { self.init(code, { _ in nil }, summary) }

    /// The same with the reason.
    public func reason(_ reason: String) -> Self {
        var errorCase = self
        errorCase.reason = reason
        return errorCase
    }

    /// The same with what to do about it.
    public func recovery(_ recovery: String) -> Self {
        var errorCase = self
        errorCase.recovery = recovery
        return errorCase
    }
}

/// What an error comes of.
public struct ErrorCause: Sendable {
    /// What is wrong, without secrets.
    public let detail: String
    /// What has failed.
    public let error: any Error

    /// The status of the answer to a request of the method's own.
    public var status: Int? { (error as? CountersignError)?.status }
    /// What an authorization server said.
    public var server: OAuth2ServerError? { error as? OAuth2ServerError }
    /// What a token endpoint answered.
    public var response: ResponseOutline? { GeneratedCodeVersion3.outline(of: error) }
}
