package import Countersign

/// An error that a spec describes, without a generated type.
package struct MethodError: AuthenticationError, OAuth2ServerErrorCarrying {
    /// Unknown to the type. The description of an error names the method.
    package static var authenticationMethod: String { "" }

    private let method: String
    private let texts: ErrorDescription
    private let detail: String
    /// The underlying error. It can contain a secret, so its text is shown only if it is known to contain none.
    package let cause: any Error

    /// - Parameters:
    ///   - detail: The reason, unless the cause has a better one.
    ///   - cause: The underlying error. Its description replaces the detail if it is known to contain no secret.
    init(_ texts: ErrorDescription, of method: String, detail: String, cause: any Error) {
        self.method = method
        self.texts = texts
        if case PresentationFailure.load(let error) = cause { self.cause = error } else { self.cause = cause }
        let reason = Self.text(of: self.cause) ?? detail
        // A reason that repeats the summary is omitted.
        self.detail = "\(reason).".lowercased() == texts.summary.lowercased() ? "" : reason
    }

    /// Returns the description of a cause, as in the errors of generated code; `nil` if it may contain a secret, and if the detail
    /// is the better text.
    private static func text(of cause: any Error) -> String? {
        switch cause {
        case is CountersignError: nil
        case let error as OAuth2ServerError:
            [error.errorDescription, error.failureReason].compactMap(\.self).joined(separator: " ")
        case let error as any SecretFreeError: error.description
        default: nil
        }
    }

    package var code: String { texts.code }
    package var errorDescription: String? { texts.summary }
    package var failureReason: String? {
        guard !detail.isEmpty else { return texts.reason }
        return "\(detail.prefix(1).uppercased())\(detail.dropFirst())\(detail.hasSuffix(".") ? "" : ".")"
    }
    package var recoverySuggestion: String? { texts.recovery }
    package var helpAnchor: String? { nil }

    /// The error response of the authorization server; `nil` if the error has another cause.
    package var serverError: OAuth2ServerError? { cause as? OAuth2ServerError }

    package var description: String {
        let reason = failureReason.map { " \($0)" } ?? ""
        return "\(texts.summary)\(reason) [\(method).\(code)]"
    }
}

extension MethodProgram {
    /// Returns the error with a number, which counts the cases of all error types.
    func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        let descriptions = errors.flatMap(\.descriptions)
        guard descriptions.indices.contains(number) else { return nil }
        return MethodError(descriptions[number], of: name, detail: detail, cause: cause)
    }
}
