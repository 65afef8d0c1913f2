import Countersign
import HTTPTypes

extension MockResponse {
    /// A challenge as it is described, with a page as its body.
    init(_ challenge: MethodDescription.Challenge, body: String) {
        self = .page(body, status: HTTPResponse.Status(code: challenge.statuses.first ?? 200))
        for field in challenge.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.match.example))
        }
        for scheme in challenge.schemes {
            fields.append(HTTPField(name: scheme.field.name, value: scheme.example.fieldValue))
        }
    }
}

extension MethodDescription.Scheme {
    /// A challenge of this scheme.
    fileprivate var example: AuthenticationChallenge {
        let parameters = parameters.map { ($0.name, $0.match.example) }
        return AuthenticationChallenge(scheme: name, parameters: Dictionary(parameters) { first, _ in first })
    }
}

extension MethodDescription.Match {
    /// A value that agrees.
    fileprivate var example: String {
        switch self {
        case .present: "true"
        case .equals(let text), .prefix(let text), .contains(let text): text
        }
    }
}
