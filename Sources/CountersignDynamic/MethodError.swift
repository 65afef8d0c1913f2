internal import Countersign

/// An error that a spec describes, without a type that is generated for it.
struct MethodError: AuthenticationError {
    /// Not known to the type; an error's own description names the method.
    static var authenticationMethod: String { "" }

    private let method: String
    private let texts: ErrorDescription
    private let detail: String

    init(_ texts: ErrorDescription, of method: String, detail: String) {
        self.method = method
        self.texts = texts
        self.detail = detail
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
    func error(_ number: Int, _ detail: String) -> (any AuthenticationError)? {
        let descriptions = errors.flatMap(\.descriptions)
        guard descriptions.indices.contains(number) else { return nil }
        return MethodError(descriptions[number], of: name, detail: detail)
    }
}
