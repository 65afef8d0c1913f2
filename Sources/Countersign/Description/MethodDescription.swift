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
        /// As a whole, whatever letters of ASCII are capital.
        case anyCase(String)
    }

    /// One step.
    public enum Step: Sendable, Hashable {
        /// Makes an unpredictable value.
        case generate
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

/// The texts of an error case.
public struct ErrorDescription: Sendable, Hashable {
    /// The Swift type, such as `SAMLError`.
    public let type: String
    /// The case's name.
    public let code: String
    /// What has happened.
    public let summary: String
    /// Why, as far as that is the same for each of its errors.
    public let reason: String?
    /// What to do about it.
    public let recovery: String?

    /// Makes the texts of a case.
    public init(type: String, code: String, summary: String, reason: String? = nil, recovery: String? = nil) {
        self.type = type
        self.code = code
        self.summary = summary
        self.reason = reason
        self.recovery = recovery
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

extension MethodProgram {
    /// The method without what only the runtime needs.
    ///
    /// - Parameters:
    ///   - mock: How the mock landscape plays the server.
    ///   - parameters: The values of the parameters by slot; `nil` for none.
    ///   - grants: Its ways to a token, of a method with several.
    @_spi(Generated) public func description(
        mock: MockDescription = MockDescription(), parameters: [ProgramValue]? = nil, grants: [MethodDescription.Grant] = []
    ) -> MethodDescription {
        let values = parameters ?? slots.map { _ in ProgramValue.absent }
        var kind = credential.isSessionCookies ? CredentialKind.sessionCookies : .basic
        if credential.token != nil { kind = .oauth2Token }
        var field: String?
        for placement in attach {
            switch placement {
            case .basic, .digest: kind = .basic
            case .signature, .messageSignature, .computed, .negotiate: kind = .signature
            case .connection: kind = .clientCertificate
            // The token is in a field beside it.
            case .proof: break
            case .header(let name, _): (kind, field) = (.apiKey, name.text(values))
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
    /// The method with the values of its parameters, without what only the runtime needs.
    ///
    /// - Parameter mock: How the mock landscape plays the server.
    @_spi(Generated) public func description(mock: MockDescription = MockDescription()) -> MethodDescription {
        Self.program.description(mock: mock, parameters: values)
    }
}

extension ProgramParameters {
    /// A way to a token with the values of its parameters.
    @_spi(Generated) public var grantDescription: MethodDescription.Grant {
        let (program, values) = (Self.program, values)
        return MethodDescription.Grant(
            name: program.grant ?? program.name, authenticate: program.acquire.descriptions(values),
            refresh: program.renewal?.steps.descriptions(values) ?? [], next: nil)
    }
}

extension OneTimeParameters {
    /// A way to the first token with the values of its parameters.
    @_spi(Generated) public var grantDescription: MethodDescription.Grant {
        let (program, values) = (Self.program, values)
        return MethodDescription.Grant(
            name: program.grant ?? program.name, authenticate: program.acquire.descriptions(values),
            refresh: [], next: Next.program.grant)
    }
}

extension [ProgramStep] {
    /// What of them concerns servers and users; values that are made one after another are one step.
    fileprivate func descriptions(_ values: [ProgramValue]) -> [MethodDescription.Step] {
        compactMap { $0.description(values) }.reduce(into: []) { steps, step in
            if step != .generate || steps.last != .generate { steps.append(step) }
        }
    }
}

extension ProgramStep {
    /// What of it concerns servers and users; `nil` for nothing.
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
    /// `nil` without its addresses.
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
