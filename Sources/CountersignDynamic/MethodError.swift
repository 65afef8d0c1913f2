internal import Countersign

/// An error that a spec describes, without a generated type.
struct MethodError: AuthenticationError {
    /// Unknown to the type. The description of an error names the method.
    static var authenticationMethod: String { "" }

    private let method: String
    private let texts: ErrorDescription
    private let detail: String

    /// - Parameters:
    ///   - detail: The reason, unless the cause has a better one.
    ///   - cause: The underlying error. Its description replaces the detail if it is known to contain no secret.
    init(_ texts: ErrorDescription, of method: String, detail: String, cause: any Error) {
        self.method = method
        self.texts = texts
        var cause = cause
        if case PresentationFailure.load(let error) = cause { cause = error }
        let said = cause is CountersignError ? nil : (cause as? any SecretFreeError)?.description
        let reason = said ?? detail
        // A reason that repeats the summary is omitted.
        self.detail = "\(reason).".lowercased() == texts.summary.lowercased() ? "" : reason
    }

    var code: String { texts.code }
    var errorDescription: String? { texts.summary }
    var failureReason: String? {
        guard !detail.isEmpty else { return texts.reason }
        return "\(detail.prefix(1).uppercased())\(detail.dropFirst())\(detail.hasSuffix(".") ? "" : ".")"
    }
    var recoverySuggestion: String? { texts.recovery }
    var helpAnchor: String? { nil }

    var description: String {
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
