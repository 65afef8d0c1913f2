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
    /// The header field that holds the credential, of a method whose spec names one.
    public let credentialField: String?
    /// The steps that answer a challenge; none where ``grants`` have them.
    public let authenticate: [Step]
    /// The steps for the same challenge again, on the resent request.
    public let afterResend: [Step]
    /// What the method can end in.
    public let errors: [ErrorDescription]
    /// How the mock landscape plays the server.
    public let mock: MockDescription
    /// The ways to a token, for a method whose credential is one.
    public let grants: [Grant]

    /// A challenge signature with its parameters filled in.
    public struct Challenge: Sendable, Hashable {
        public let name: String
        public let statuses: [Int]
        public let fields: [Field]
        public let schemes: [Scheme]
        /// What stands near the beginning of the body, if that matters.
        public let body: String?
        /// Whether it is a connection that the server refuses for want of a client certificate.
        public let isRefusedConnection: Bool

        init(
            name: String, statuses: [Int], fields: [Field], schemes: [Scheme] = [], body: String? = nil,
            isRefusedConnection: Bool = false
        ) {
            self.name = name
            self.statuses = statuses
            self.fields = fields
            self.schemes = schemes
            self.body = body
            self.isRefusedConnection = isRefusedConnection
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
        case generate([GeneratedValue])
        case present(url: URL, finish: FinishRule)
        case request(Request)
        case fail(code: String)
        /// Asks the application.
        case prompt
    }

    /// A way to a token.
    public struct Grant: Sendable, Hashable {
        /// The name in the spec.
        public let name: String
        /// The steps without a token.
        public let authenticate: [Step]
        /// The steps with a refresh token.
        public let refresh: [Step]
        /// The grant that takes over after the first token, by its name in the spec.
        public let next: String?
    }

    /// A form that is sent to a token endpoint.
    public struct Request: Sendable, Hashable {
        /// Where it is sent.
        public let url: URL
        /// The names in the form, in the order of the spec.
        public let form: [String]
        /// Who sends it, if the spec says so.
        public let client: Client?
    }

    /// A client of an authorization server.
    public struct Client: Sendable, Hashable {
        /// The `client_id`.
        public let id: String
        /// The secret, if there is one. Descriptions do not show it.
        public let secret: String?
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

    /// What the page of a flow asks for.
    public enum Page: String, Sendable, Hashable, CaseIterable {
        /// A user name and a password, at an identity provider.
        case login
        /// A one-time passcode, behind the method that the user has logged in by.
        case passcode
    }

    /// The name of the session cookie.
    public let sessionCookie: String
    /// How a browser without a session is sent to the identity provider.
    public let loginRedirect: LoginRedirect
    /// The names of the login form's fields.
    public let userField: String
    public let passwordField: String
    /// What the page of the flow asks for.
    public let page: Page

    public init(
        sessionCookie: String = "session", loginRedirect: LoginRedirect = .javascript, userField: String = "j_username",
        passwordField: String = "j_password", page: Page = .login
    ) {
        self.page = page
        self.sessionCookie = sessionCookie
        self.loginRedirect = loginRedirect
        self.userField = userField
        self.passwordField = passwordField
    }
}

extension MethodDescription.Client: ReducedDescription {
    /// The name; of the secret only whether there is one.
    public var visibleParts: KeyValuePairs<String, String> { ["id": id, "secret": secret == nil ? "none" : redacted] }
}

extension GrantMethod {
    /// The method as data.
    ///
    /// - Parameter grants: Its grants with their parameters filled in.
    public func description(grants: [MethodDescription.Grant]) -> MethodDescription {
        MethodDescription(
            name: name, summary: summary, challenges: challenges.compactMap { $0.description([]) }, credential: .oauth2Token,
            credentialField: nil, authenticate: [], afterResend: rejection.map { [.fail(code: $0.code)] } ?? [], errors: errors,
            mock: mock,
            grants: grants)
    }
}

extension MethodProgram {
    /// The method without what only the runtime needs.
    ///
    /// - Parameters:
    ///   - mock: How the mock landscape plays the server.
    ///   - parameters: The values of the parameters by slot; `nil` for none.
    @_spi(Generated) public func description(mock: MockDescription, parameters: [ProgramValue]? = nil) -> MethodDescription {
        let values = parameters ?? slots.map { _ in ProgramValue.absent }
        var kind = credential.isSessionCookies ? CredentialKind.sessionCookies : .basic
        var field: String?
        for placement in attach {
            switch placement {
            case .basic, .digest: kind = .basic
            case .connection: kind = .clientCertificate
            case .header(let name, _): (kind, field) = (.apiKey, name.text(values))
            }
        }
        return MethodDescription(
            name: name, summary: summary, challenges: challenges.compactMap { $0.description(values) }, credential: kind,
            credentialField: field, authenticate: acquire.compactMap { $0.description(values) },
            afterResend: rejections.lazy.compactMap(\.error).first.map { [.fail(code: errors[$0].code)] } ?? [], errors: errors,
            mock: mock, grants: [])
    }
}

extension ProgramParameters {
    /// The method with the values of its parameters, without what only the runtime needs.
    ///
    /// - Parameter mock: How the mock landscape plays the server.
    @_spi(Generated) public func description(mock: MockDescription) -> MethodDescription {
        Self.program.description(mock: mock, parameters: values)
    }
}

extension ProgramStep {
    /// What of it concerns servers and users; `nil` for nothing.
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Step? {
        if isPrompt { return .prompt }
        guard let page, let url = page.url.url(values), case .at(let end, let match) = page.end, let finish = end.url(values) else {
            return nil
        }
        return .present(url: url, finish: FinishRule(finish, match: match))
    }
}

extension TokenGrant {
    /// The grant with its parameters filled in.
    public func description(for parameters: Values.Parameters) -> MethodDescription.Grant {
        let values = Values(parameters: parameters)
        return MethodDescription.Grant(
            name: name, authenticate: authenticate.map { $0.description(for: values) },
            refresh: refresh.map { $0.description(for: values) }, next: nil)
    }
}

extension HandoverGrant {
    /// The grant that is run once, with its parameters filled in.
    public func description(for parameters: First.Parameters) -> MethodDescription.Grant {
        let first = first.description(for: parameters)
        return MethodDescription.Grant(
            name: first.name, authenticate: first.authenticate, refresh: first.refresh, next: next.name)
    }
}

extension Step {
    /// The step with its values filled in, but for those that a run generates or captures.
    fileprivate func description(for values: Values) -> MethodDescription.Step {
        switch self {
        case .generate(let generated): .generate(generated)
        case .present(let step):
            .present(url: step.url.value(values), finish: FinishRule(step.finish.url.value(values), match: .path))
        case .request(let step):
            .request(
                MethodDescription.Request(
                    url: step.url.value(values), form: step.form.map(\.name),
                    client: step.client.flatMap { client in
                        client.id.value(values).map { .init(id: $0, secret: client.secret.value(values)) }
                    }))
        }
    }
}
