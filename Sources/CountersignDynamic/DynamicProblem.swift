package import CountersignSpec

/// A reason why a landscape cannot be executed as it is given. It quotes no value, because that may be a secret.
package enum DynamicProblem: Error {
    /// The specs have mistakes.
    case specs([Diagnostic], SpecSources)
    /// Nothing of the kind, such as a method or a variant, has the name.
    case unknown(kind: String, name: String, known: [String])
    /// No name was given, and there are several of the kind.
    case ambiguous(kind: String, known: [String])
    /// A required value is missing.
    case missing(kind: String, name: String, summary: String)
    /// A value is invalid for its type.
    case invalid(kind: String, name: String, expectation: String)
    /// The method is an enrolment: the application receives the credential, and no request carries it.
    case enrolment(method: String)
}

extension DynamicProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .specs(let diagnostics, _):
            let count = diagnostics.filter { $0.severity == .error }.count
            return "the specs have \(count == 1 ? "a mistake" : "\(count) mistakes")"
        case .unknown(let kind, let name, let known):
            return "there is no \(kind) '\(name)'" + (known.isEmpty ? "" : "; there are: \(known.joined(separator: ", "))")
        case .ambiguous(let kind, let known): return "there is more than one \(kind): \(known.joined(separator: ", "))"
        case .missing(let kind, let name, let summary): return "the \(kind) '\(name)' has no value: \(summary)"
        case .invalid(let kind, let name, let expectation): return "the \(kind) '\(name)' is not \(expectation)"
        case .enrolment(let method):
            return "'\(method)' obtains a certificate for an application, not a credential for requests"
        }
    }
}
