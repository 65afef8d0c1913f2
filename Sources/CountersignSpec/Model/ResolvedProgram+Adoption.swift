extension ResolvedProgram {
    /// Whether the application can provide a credential itself, such as the tokens of another library.
    ///
    /// The credential must be renewable: a login replaces any other. It must consist of values that an application can have, and its
    /// protection space must not depend on a challenge.
    package var isAdoptable: Bool {
        guard renewal != nil, credential.token == nil, credential.cookies == nil, !credential.isSessionCookies,
            credential.space != .directory, credential.space != .request, credential.separators.isEmpty
        else { return false }
        let names = credential.fields.map { slots[$0.slot].name.value }
        let others = hasCredentialOfOneServer ? ["url", "session"] : ["session"]
        return credential.fields.allSatisfy { $0.kind != nil && $0.value == nil }
            // The other parameters of the generated method.
            && Set(names).isDisjoint(with: others) && !attach.contains(where: \.dependsOnConnection)
    }

    /// Whether a parameter of the generated method for it is a URL.
    package var isAdoptedByURL: Bool {
        isAdoptable && (hasCredentialOfOneServer || credential.fields.contains { $0.kind == .url })
    }
}

extension ResolvedProgram.Placement {
    /// Whether the body of requests carries the credential.
    package var isInBody: Bool {
        switch self {
        case .json, .form: true
        case .header, .query, .basic, .digest, .connection, .signature, .messageSignature, .computed, .proof, .negotiate: false
        }
    }

    /// Whether a challenge or the connection is a part of what requests carry.
    fileprivate var dependsOnConnection: Bool {
        switch self {
        case .digest, .connection, .negotiate: true
        case .header, .query, .json, .form, .basic, .signature, .messageSignature, .computed, .proof: false
        }
    }
}
