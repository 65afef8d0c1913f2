#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A method with its parameters filled in: texts and URLs only, no closures, no types of the method's own.
public struct MethodDescription: Sendable, Hashable {
    /// The name in the spec.
    public let name: String
    /// One sentence.
    public let summary: String
    /// Any of these is a challenge.
    public let challenges: [Challenge]
    /// How success shows on later requests.
    public let credential: CredentialKind
    /// The steps that answer a challenge.
    public let authenticate: [Step]
    /// The steps for the same challenge again, on the resent request.
    public let afterResend: [Step]
    /// What the method can end in.
    public let errors: [ErrorDescription]
    /// How the mock landscape plays the server.
    public let mock: MockDescription

    /// A challenge signature with its parameters filled in.
    public struct Challenge: Sendable, Hashable {
        public let name: String
        public let statuses: [Int]
        public let fields: [Field]
        public let schemes: [Scheme]

        init(name: String, statuses: [Int], fields: [Field], schemes: [Scheme] = []) {
            self.name = name
            self.statuses = statuses
            self.fields = fields
            self.schemes = schemes
        }
    }

    /// One field of a challenge.
    public struct Field: Sendable, Hashable {
        public let name: String
        public let match: Match
    }

    /// An authentication scheme of a challenge.
    public struct Scheme: Sendable, Hashable {
        public let field: AuthenticationChallenge.Field
        public let name: String
        public let parameters: [Parameter]
    }

    /// One parameter of an authentication scheme.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let match: Match
    }

    /// What the value of a field or parameter has to be.
    public enum Match: Sendable, Hashable {
        case present
        case equals(String)
        case prefix(String)
        case contains(String)
    }

    /// One step.
    public enum Step: Sendable, Hashable {
        case present(url: URL, finish: FinishRule)
        case fail(code: String)
    }
}

/// An error case of a method, for documentation and the mock landscape.
public struct ErrorDescription: Sendable, Hashable {
    /// The Swift type, such as `SAMLError`.
    public let type: String
    /// The case's name.
    public let code: String
    /// What it means.
    public let summary: String

    public init(type: String, code: String, summary: String) {
        self.type = type
        self.code = code
        self.summary = summary
    }
}

/// What the mock landscape needs to know beyond the protocol: the `mock:` section of a spec.
public struct MockDescription: Sendable, Hashable {
    /// The page that sends a browser on to the identity provider: `javascript` with a `<noscript>` form, or `redirect`.
    public enum LoginRedirect: String, Sendable, Hashable, CaseIterable {
        case javascript
        case redirect
    }

    /// The name of the session cookie.
    public let sessionCookie: String
    /// How a browser without a session is sent to the identity provider.
    public let loginRedirect: LoginRedirect
    /// The names of the login form's fields.
    public let userField: String
    public let passwordField: String

    public init(
        sessionCookie: String = "session", loginRedirect: LoginRedirect = .javascript, userField: String = "j_username",
        passwordField: String = "j_password"
    ) {
        self.sessionCookie = sessionCookie
        self.loginRedirect = loginRedirect
        self.userField = userField
        self.passwordField = passwordField
    }
}

extension Method {
    /// The method with its parameters filled in.
    public func description(for parameters: Parameters) -> MethodDescription {
        func describe(_ step: Step<Parameters, Failure>) -> MethodDescription.Step {
            switch step {
            case .present(let step):
                .present(
                    url: step.url.value(parameters), finish: FinishRule(step.finish.value(parameters), match: step.match))
            case .fail(let failure): .fail(code: failure.code)
            }
        }
        return MethodDescription(
            name: name, summary: summary, challenges: challenges.map { $0.description(for: parameters) }, credential: credential,
            authenticate: authenticate.map(describe), afterResend: afterResend.map(describe), errors: errors, mock: mock)
    }
}

extension ChallengeSignature {
    /// The signature with its parameters filled in.
    public func description(for parameters: Parameters) -> MethodDescription.Challenge {
        MethodDescription.Challenge(
            name: name, statuses: statuses,
            fields: fields.map {
                MethodDescription.Field(name: $0.name.value(parameters), match: $0.match.description(for: parameters))
            },
            schemes: schemes.map { scheme in
                MethodDescription.Scheme(
                    field: scheme.field, name: scheme.scheme,
                    parameters: scheme.parameters.map {
                        MethodDescription.Parameter(name: $0.name, match: $0.match.description(for: parameters))
                    })
            })
    }
}

extension FieldCondition.Match {
    /// The comparison with its parameters filled in.
    fileprivate func description(for parameters: Parameters) -> MethodDescription.Match {
        switch self {
        case .present: .present
        case .equals(let text): .equals(text.value(parameters))
        case .prefix(let text): .prefix(text.value(parameters))
        case .contains(let text): .contains(text.value(parameters))
        }
    }
}
