#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A method with its parameters filled in, as texts and URLs without closures or generated types.
public struct MethodDescription: Sendable, Hashable {
    /// The name in the spec.
    public let name: String
    /// A one-sentence summary.
    public let summary: String
    /// The signatures of the method's challenges.
    public let challenges: [Challenge]
    /// The kind of credential that is added to later requests.
    public let credential: CredentialKind
    /// The header field of the credential, if the spec names one.
    public let credentialField: String?
    /// The steps that answer a challenge; empty if they are in ``grants``.
    public let authenticate: [Step]
    /// The steps that answer the same challenge to the resent request.
    public let afterResend: [Step]
    /// The error cases of the method.
    public let errors: [ErrorDescription]
    /// The behaviour of the server in the mock landscape.
    public let mock: MockDescription
    /// The OAuth 2.0 grants of the method, if its credential is a token.
    public let grants: [Grant]

    /// A challenge signature with its parameters filled in.
    public struct Challenge: Sendable, Hashable {
        public let name: String
        public let statuses: [Int]
        public let fields: [Field]
        public let schemes: [Scheme]
        /// A text near the beginning of the body; `nil` if the body is not compared.
        public let body: String?
        /// Whether the signature is a TLS connection that the server refuses because it requires a client certificate.
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

    /// A header field of a challenge.
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

    /// A parameter of an authentication scheme.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let match: Match
    }

    /// The condition on the value of a field or parameter.
    public enum Match: Sendable, Hashable {
        case present
        /// The field or parameter is absent.
        case absent
        case equals(String)
        case prefix(String)
        case contains(String)
        /// Equal, ignoring the case of ASCII letters.
        case anyCase(String)
    }

    /// A step of a method.
    public enum Step: Sendable, Hashable {
        /// Generates an unpredictable value.
        case generate
        case present(url: URL, finish: FinishRule)
        case request(Request)
        case fail(code: String)
        /// Asks the application for a credential.
        case prompt
    }

    /// An OAuth 2.0 grant.
    public struct Grant: Sendable, Hashable {
        /// The name in the spec.
        public let name: String
        /// The steps without a refresh token.
        public let authenticate: [Step]
        /// The steps with a refresh token.
        public let refresh: [Step]
        /// The grant that is used after the first token, by its name in the spec.
        public let next: String?
    }

    /// A form request to a token endpoint.
    public struct Request: Sendable, Hashable {
        /// The URL of the request.
        public let url: URL
        /// The names of the form's fields, in the order of the spec.
        public let form: [String]
        /// The client that sends the request, if the spec names one.
        public let client: Client?
    }

    /// A client of an authorization server.
    public struct Client: Sendable, Hashable {
        /// The `client_id`.
        public let id: String
        /// The client secret, if there is one. Descriptions do not show it.
        public let secret: String?
    }
}

/// The texts of an error case.
public struct ErrorDescription: Sendable, Hashable {
    /// The Swift type, such as `SAMLError`.
    public let type: String
    /// The case's name.
    public let code: String
    /// The description of the error.
    public let summary: String
    /// The failure reason, if it is the same for all occurrences.
    public let reason: String?
    /// The recovery suggestion.
    public let recovery: String?

    /// Creates the texts of a case.
    public init(type: String, code: String, summary: String, reason: String? = nil, recovery: String? = nil) {
        self.type = type
        self.code = code
        self.summary = summary
        self.reason = reason
        self.recovery = recovery
    }
}

/// The `mock:` section of a spec: the server's behaviour beyond the protocol.
public struct MockDescription: Sendable, Hashable {
    /// The page that redirects a browser to the identity provider: `javascript` with a `<noscript>` form, or `redirect`.
    public enum LoginRedirect: String, Sendable, Hashable, CaseIterable {
        case javascript
        case redirect
    }

    /// The input that the page of a flow asks for.
    public enum Page: String, Sendable, Hashable, CaseIterable {
        /// A user name and a password, at an identity provider.
        case login
        /// A one-time passcode, after the login by another method.
        case passcode
    }

    /// The name of the session cookie.
    public let sessionCookie: String
    /// The redirect of a browser without a session to the identity provider.
    public let loginRedirect: LoginRedirect
    /// The names of the login form's input fields.
    public let userField: String
    public let passwordField: String
    /// The input that the page of the flow asks for.
    public let page: Page

    /// Creates the behaviour of a server.
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
    /// The name, and whether there is a secret.
    public var visibleParts: KeyValuePairs<String, String> { ["id": id, "secret": secret == nil ? "none" : redacted] }
}

extension MethodProgram {
    /// Returns the method without the parts that only the runtime needs.
    ///
    /// - Parameters:
    ///   - mock: The server's behaviour in the mock landscape.
    ///   - parameters: The values of the parameters by slot; `nil` for none.
    ///   - grants: The method's grants, if it has several.
    @_spi(Generated) public func description(
        mock: MockDescription = MockDescription(), parameters: [ProgramValue]? = nil, grants: [MethodDescription.Grant] = []
    ) -> MethodDescription {
        let values = parameters ?? slots.map { _ in ProgramValue.absent }
        var kind = credential.isSessionCookies ? CredentialKind.sessionCookies : .basic
        if credential.token != nil { kind = .oauth2Token }
        var field: String?
        // A part that all requests carry says more about the credential than one for requests of some HTTP methods.
        for placement in attach.filter({ $0.requestMethods != nil }) + attach.filter({ $0.requestMethods == nil }) {
            switch placement {
            case .basic, .digest: kind = .basic
            case .signature, .messageSignature, .computed, .negotiate: kind = .signature
            case .connection: kind = .clientCertificate
            // The token is in another header field.
            case .proof: break
            case .header(let name, _, _): (kind, field) = (.apiKey, name.text(values))
            case .query, .json, .form: kind = .apiKey
            }
        }
        let errors = errors.flatMap(\.descriptions)
        return MethodDescription(
            name: name, summary: summary, challenges: challenges.compactMap { $0.description(values) }, credential: kind,
            credentialField: field, authenticate: acquire.descriptions(values),
            afterResend: rejections.lazy.compactMap(\.error).first.map { [.fail(code: errors[$0].code)] } ?? [], errors: errors,
            mock: mock, grants: grants)
    }
}

extension ProgramParameters {
    /// Returns the method with the values of its parameters, without the parts that only the runtime needs.
    ///
    /// - Parameter mock: The server's behaviour in the mock landscape.
    @_spi(Generated) public func description(mock: MockDescription = MockDescription()) -> MethodDescription {
        Self.program.description(mock: mock, parameters: values)
    }
}

extension ProgramParameters {
    /// The grant with the values of its parameters.
    @_spi(Generated) public var grantDescription: MethodDescription.Grant {
        let (program, values) = (Self.program, values)
        return MethodDescription.Grant(
            name: program.grant ?? program.name, authenticate: program.acquire.descriptions(values),
            refresh: program.renewal?.steps.descriptions(values) ?? [], next: nil)
    }
}

extension OneTimeParameters {
    /// The grant of the first token with the values of its parameters.
    @_spi(Generated) public var grantDescription: MethodDescription.Grant {
        let (program, values) = (Self.program, values)
        return MethodDescription.Grant(
            name: program.grant ?? program.name, authenticate: program.acquire.descriptions(values),
            refresh: [], next: Next.program.grant)
    }
}

extension [ProgramStep] {
    /// Returns the steps that concern servers and users. Consecutively generated values are one step.
    fileprivate func descriptions(_ values: [ProgramValue]) -> [MethodDescription.Step] {
        compactMap { $0.description(values) }.reduce(into: []) { steps, step in
            if step != .generate || steps.last != .generate { steps.append(step) }
        }
    }
}

extension ProgramStep {
    /// Returns the part of the step that concerns servers and users; `nil` if there is none.
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Step? {
        switch self {
        case .prompt: .prompt
        case .compute(_, .random): .generate
        case .compute, .http, .ask, .repeat, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.description(values)
        case .present(let page): page.description(values)
        case .token(let call):
            call.url.url(values).map { url in
                let client = call.client.flatMap { client in
                    client.identifier.text(values).map {
                        MethodDescription.Client(id: $0, secret: client.secret?.text(values))
                    }
                }
                return .request(.init(url: url, form: call.form.compactMap { $0.name.text(values) }, client: client))
            }
        }
    }
}

extension LoginPage {
    /// Returns the step that shows the page; `nil` if a URL is absent, or for a page with a code.
    fileprivate func description(_ values: [ProgramValue]) -> MethodDescription.Step? {
        guard let url = url.url(values) else { return nil }
        switch end {
        case .at(let end, let match): return end.url(values).map { .present(url: url, finish: FinishRule($0, match: match)) }
        case .redirect(let redirect):
            guard case .url(let end) = values[redirect.slot] else { return nil }
            return .present(url: url, finish: FinishRule(end, match: .path))
        case .userCode: return nil
        }
    }
}
