// The credential of a method: its fields, the requests that share it, and what the application can read of it or provide.

extension ResolvedProgram {
    package struct Credential: Sendable {
        package enum Space: String, Sendable, Hashable, CaseIterable {
            case origin, directory, servers, request
        }

        package var fields: [CredentialField]
        package var separators: [Template]
        package var space: Space
        /// The slot of the field with the lifetime or expiry of the credential.
        package var lifetime: Int?
        /// The lifetime of every credential in milliseconds, if the spec states it.
        package var fixedLifetime: Int?
        /// The slots of the parameters with the servers that may receive the credential.
        package var destinations: [Int]
        /// The slots of the credential's fields with URLs whose servers may receive the credential, too.
        package var recipients: [Int] = []
        /// Whether the first origin of the application's requests may receive the credential if no parameter names another.
        package var isForRequested = false
        /// Whether the application receives the credential, and no request carries it.
        package var isForApplication = false
        /// Whether requests carry the credential before a server challenges them.
        package var isEager = false
        /// The slot of the credential's cookies, if they are kept apart from those of the session.
        package var cookies: Int?
        /// Whether the credential consists of the cookies that a login leaves among the session's own.
        package var isSessionCookies = false
        /// The slots of the token's parts that steps need, if the credential is a token.
        package var token: Token?

        /// Whether credentials have a known lifetime.
        package var expires: Bool { lifetime != nil || fixedLifetime != nil }
    }

    package struct Token: Sendable {
        package var access, refresh: Int?
    }

    package struct CredentialField: Sendable {
        package var slot: Int
        package var summary: String
        /// The template of the value; `nil` if a step fills the field.
        package var value: Template?
        /// Whether the field is only in the store, and in no request.
        package var isForStore = false
        /// The kind of value; `nil` for one that only steps can provide.
        package var kind: Kind?
        /// Whether a credential can lack it.
        package var isOptional = false

        /// The kinds of values that an application can provide.
        package enum Kind: Sendable {
            case text, secret, url, duration
        }
    }
}

extension ResolvedProgram {
    /// The fields of the credential that the application can read: texts, secrets and URLs.
    ///
    /// A lifetime is not among them, since the application reads the expiry date instead. There are none if all of them are
    /// parameters, which the application has anyway.
    package var readableFields: [CredentialField] {
        guard !credential.isForApplication, credential.space != .request else { return [] }
        let fields = credential.fields.filter { [.text, .secret, .url].contains($0.kind) && $0.slot != credential.lifetime }
        let areParameters = fields.allSatisfy { field in
            field.value.map { $0.slots.allSatisfy { slots[$0].source == .parameter } } ?? false
        }
        return areParameters ? [] : fields
    }

    /// Whether values of a challenge separate the credentials.
    package var spaceDependsOnChallenge: Bool {
        credential.separators.flatMap(\.slots).contains { slots[$0].source == .challenge }
    }

    /// Whether a declaration of the generated type for it names a URL or a date.
    package var isReadByURL: Bool {
        !readableFields.isEmpty
            && (hasCredentialOfOneServer || credential.expires || readableFields.contains { $0.kind == .url })
    }

    /// Whether the application names the server whose credential it reads or provides.
    package var hasCredentialOfOneServer: Bool { credential.space != .servers || !credential.separators.isEmpty }
}
