import Countersign
import HTTPTypes

extension MockResponse {
    /// Creates the challenge of a method's server: the signature that the options name, the known challenge of the server, or the
    /// first described one. `nil` if there is none.
    init?(challengeOf method: MethodDescription, options: MockOptions, rules: ServerRules, body: String) {
        if let name = options.signatures[method.name] {
            guard let described = method.challenges.first(where: { $0.name == name }) else { return nil }
            self.init(described, body: body)
        } else if let known = rules.challenges[method.name] {
            self.init(known, body: body)
        } else {
            guard let described = method.challenges.first else { return nil }
            self.init(described, body: body)
        }
    }

    private init(_ known: ServerRules.Challenge, body: String) {
        self = .page(body, status: HTTPResponse.Status(code: known.status))
        for (name, value) in known.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
    }

    /// Creates a challenge from its description.
    private init(_ challenge: MethodDescription.Challenge, body: String) {
        let body = challenge.body.map { "\($0)\n\(body)" } ?? body
        self = .page(body, status: HTTPResponse.Status(code: challenge.statuses.first ?? 200))
        for field in challenge.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            guard field.match != .absent else {
                fields[name] = nil
                continue
            }
            // A page has a single media type.
            if name == .contentType { fields[name] = nil }
            fields.append(HTTPField(name: name, value: field.match.example))
        }
        for scheme in challenge.schemes {
            fields.append(HTTPField(name: scheme.field.name, value: scheme.example.fieldValue))
        }
    }
}

extension MethodDescription.Scheme {
    /// An example challenge of this scheme.
    fileprivate var example: AuthenticationChallenge {
        let parameters = parameters.filter { $0.match != .absent }.map { ($0.name, $0.match.example) }
        return AuthenticationChallenge(scheme: name, parameters: Dictionary(parameters) { first, _ in first })
    }
}

extension MethodDescription.Match {
    /// An example value that satisfies the condition.
    fileprivate var example: String {
        switch self {
        case .present: "true"
        case .absent: ""
        case .equals(let text), .prefix(let text), .contains(let text), .anyCase(let text): text
        }
    }
}
