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
            && (hasCredentialOfOneServer || credential.lifetime != nil || readableFields.contains { $0.kind == .url })
    }

    /// Whether the application names the server whose credential it reads or provides.
    package var hasCredentialOfOneServer: Bool { credential.space != .servers || !credential.separators.isEmpty }
}
