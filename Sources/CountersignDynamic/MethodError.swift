internal import Countersign

/// An error that a spec describes, without a type that is generated for it.
struct MethodError: AuthenticationError {
    /// Not known to the type; an error's own description names the method.
    static var authenticationMethod: String { "" }

    private let method: String
    private let texts: ErrorDescription
    private let detail: String

    /// - Parameters:
    ///   - detail: What is wrong, for an error that says so.
    ///   - cause: What has failed; it says more than the detail where it is known to hold no secret.
    init(_ texts: ErrorDescription, of method: String, detail: String, cause: any Error) {
        self.method = method
        self.texts = texts
        var cause = cause
        if case PresentationFailure.load(let error) = cause { cause = error }
        let said = cause is CountersignError ? nil : (cause as? any SecretFreeError)?.description
        let reason = said ?? detail
        // What is said already is not said twice.
        self.detail = "\(reason).".lowercased() == texts.summary.lowercased() ? "" : reason
    }

    var code: String { texts.code }
    var errorDescription: String? { texts.summary }
    var failureReason: String? { detail.isEmpty ? texts.reason : "\(detail.prefix(1).uppercased())\(detail.dropFirst())." }
    var recoverySuggestion: String? { texts.recovery }
    var helpAnchor: String? { nil }

    var description: String {
        let reason = failureReason.map { " \($0)" } ?? ""
        return "\(texts.summary)\(reason) [\(method).\(code)]"
    }
}

extension MethodProgram {
    /// The error of a number, counted through the cases of all types.
    func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        let descriptions = errors.flatMap(\.descriptions)
        guard descriptions.indices.contains(number) else { return nil }
        return MethodError(descriptions[number], of: name, detail: detail, cause: cause)
    }
}
