internal import HTTPTypes

extension CredentialPlacement {
    /// The header fields that it is in.
    ///
    /// - Parameter values: The values by slot.
    func fieldNames(_ values: [ProgramValue]) -> [HTTPField.Name] {
        switch self {
        case .connection: []
        case .basic, .digest, .signature, .negotiate: [.authorization]
        case .messageSignature: ["Signature-Input", "Signature"].compactMap { HTTPField.Name($0) }
        case .header(let name, _): [name.text(values).flatMap { HTTPField.Name($0) }].compactMap(\.self)
        case .proof: [HTTPField.Name.proof].compactMap(\.self)
        case .computed(_, let headers): headers.compactMap { $0.name.text(values).flatMap { HTTPField.Name($0) } }
        }
    }

    /// The header field of a credential; `nil` if a value is absent, or if the field differs from request to request.
    ///
    /// - Parameter values: The values by slot.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a value that no field can have.
    func field(_ values: [ProgramValue]) throws(CountersignError) -> HTTPField? {
        switch self {
        case .connection: return nil
        case .header(let name, let template):
            guard let text = template.text(values) else { return nil }
            guard let name = name.text(values).flatMap({ HTTPField.Name($0) }), !name.isOfConnection else {
                throw Self.unusable("the name of its header field is none that a request can have")
            }
            guard HTTPField.isValidValue(text) else { throw Self.unusable("it has a character that no header field can have") }
            var field = HTTPField(name: name, value: text)
            // Never to be kept in a compression table.
            field.indexingStrategy = .disallow
            return field
        case .digest, .signature, .messageSignature, .computed, .proof, .negotiate: return nil
        case .basic(let user, let password):
            guard let user = user.text(values), let password = password.text(values) else { return nil }
            do {
                return try BasicScheme.field(user: user, password: password)
            } catch {
                switch error {
                case .colonInIdentifier: throw Self.unusable("the user name has a colon, which HTTP Basic cannot carry")
                case .controlCharacter: throw Self.unusable("it has a control character")
                }
            }
        }
    }

    /// What signs requests with a credential.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - challenge: What is answered.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a user name that no field can have.
    func signer(_ values: [ProgramValue], for challenge: DigestChallenge?) throws(CountersignError) -> DigestSigner? {
        guard case .digest(let user, let password) = self, let challenge, let user = user.text(values),
            let password = password.text(values)
        else { return nil }
        guard !user.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.unusable("it has a control character")
        }
        return DigestSigner(challenge, user: user, password: password)
    }

    /// What signs each request by itself; `nil` if nothing does.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - nonces: What servers want proofs to have in them.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that no header field can have.
    func signature(
        _ values: [ProgramValue], with nonces: ProofNonces
    ) throws(CountersignError) -> (any RequestSigning)? {
        switch self {
        case .signature(let signature): return try signature.signer(values)
        case .messageSignature(let signature): return try signature.signer(values)
        case .proof(let proof): return try proof.signer(values, with: nonces)
        case .computed(let functions, let headers):
            let signer = ComputedFieldsSigner(values: values, functions: functions, headers: headers)
            try signer.check()
            return signer
        case .header, .basic, .digest, .connection, .negotiate: return nil
        }
    }

    /// What connections are made with; `nil` if it is something else.
    func identity(_ values: [ProgramValue]) -> ConnectionIdentity? {
        guard case .connection(let slot) = self, case .identity(let identity) = values[slot] else { return nil }
        return identity
    }

    private static func unusable(_ reason: String) -> CountersignError {
        CountersignError(.invalidRequest, detail: "the credential cannot be sent: \(reason)")
    }
}

extension HTTPField.Name {
    /// Whether the field says how a message is framed or which hop it is for (RFC 9110, sections 7.2 to 7.8 and 11.7).
    var isOfConnection: Bool {
        ["host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer"].contains(
            canonicalName)
            || canonicalName.hasPrefix("proxy-")
    }
}
