package import HTTPTypes

extension CredentialPlacement {
    /// Returns the names of the header fields that carry the credential, as far as they are known.
    ///
    /// - Parameter values: The values by slot.
    func fieldNames(_ values: [ProgramValue]) -> [HTTPField.Name] {
        switch self {
        case .connection, .query, .json, .form: []
        case .basic, .digest, .signature, .negotiate: [.authorization]
        case .messageSignature: ["Signature-Input", "Signature"].compactMap { HTTPField.Name($0) }
        case .header(let name, _, _): [name.text(values).flatMap { HTTPField.Name($0) }].compactMap(\.self)
        case .proof: [HTTPField.Name.proof].compactMap(\.self)
        case .computed(_, let headers, _): headers.compactMap { $0.name.text(values).flatMap { HTTPField.Name($0) } }
        }
    }

    /// The HTTP methods of the requests that carry it; `nil` for requests of every method.
    package var requestMethods: [HTTPRequest.Method]? {
        switch self {
        case .header(_, _, let methods), .query(_, _, let methods):
            methods.isEmpty ? nil : methods.compactMap { HTTPRequest.Method($0) }
        case .json, .form, .basic, .digest, .signature, .connection, .messageSignature, .computed, .proof, .negotiate: nil
        }
    }

    /// Whether the credential itself names its header field.
    ///
    /// - Parameter parameters: The values by slot, without those of the credential.
    func isNamedByCredential(_ parameters: [ProgramValue]) -> Bool {
        if case .header(let name, _, _) = self { name.text(parameters) == nil } else { false }
    }

    /// Throws unless a header field can have the name that the credential gives it.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - others: The names of the other fields that carry the credential.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a name that is invalid, that has a meaning of its own, or that another
    ///   field has.
    func checkName(_ values: [ProgramValue], beside others: [HTTPField.Name]) throws(CountersignError) {
        guard case .header(let template, _, _) = self, let text = template.text(values) else { return }
        guard let name = HTTPField.Name(text), !name.hasOwnMeaning else {
            throw Self.unusable("the server has chosen a name for its header field that is not allowed")
        }
        guard !others.contains(name) else { throw Self.unusable("the server has chosen a name that another header field has") }
    }

    /// Returns the header field of a credential; `nil` if a value is absent, or if no field is the same in all requests.
    ///
    /// - Parameter values: The values by slot.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a value that is invalid in a header field.
    func field(_ values: [ProgramValue]) throws(CountersignError) -> HTTPField? {
        switch self {
        case .connection, .query, .json, .form: return nil
        case .header(let name, let template, _):
            guard let text = template.text(values) else { return nil }
            guard let name = name.text(values).flatMap({ HTTPField.Name($0) }), !name.isOfConnection else {
                throw Self.unusable("the name of its header field is not allowed in requests")
            }
            guard HTTPField.isValidValue(text) else {
                throw Self.unusable("it has a character that is not allowed in a header field")
            }
            var field = HTTPField(name: name, value: text)
            // The credential must never be stored in a header compression table.
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

    /// Returns the names of the query parameters that carry the credential or a signature with it, and those of them whose values
    /// are secret or belong to one signature alone.
    ///
    /// - Parameter values: The values by slot.
    func parameterNames(_ values: [ProgramValue]) -> (all: [String], secret: [String]) {
        switch self {
        case .query(let name, _, _):
            let names = [name.text(values)].compactMap(\.self)
            return (names, names)
        case .signature(let signature):
            guard signature.lifetimeInQuery != nil else { return ([], []) }
            return (SignatureVersion4Signer.parameterNames, SignatureVersion4Signer.secretParameterNames)
        case .computed(let functions, _, let query):
            // Other requests can have the same literal or the same time.
            let own = query.filter { !$0.value.isCommon(beside: functions) }
            return (query.compactMap { $0.name.text(values) }, own.compactMap { $0.name.text(values) })
        case .header, .json, .form, .basic, .digest, .negotiate, .connection, .messageSignature, .proof: return ([], [])
        }
    }

    /// Returns the query parameter of a credential; `nil` for other placements, or if a value is absent.
    ///
    /// - Parameter values: The values by slot.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for an empty name.
    func parameter(_ values: [ProgramValue]) throws(CountersignError) -> FormParameters.Parameter? {
        guard case .query(let name, let template, _) = self, let value = template.text(values) else { return nil }
        guard let name = name.text(values), !name.isEmpty else { throw Self.unusable("the name of its query parameter is empty") }
        return FormParameters.Parameter(name: name, value: value)
    }

    /// Returns the name and the format of the member that carries the credential in bodies; `nil` for other placements.
    ///
    /// - Parameter values: The values by slot.
    func memberName(_ values: [ProgramValue]) -> (format: BodyPlace.Format, name: String)? {
        switch self {
        case .json(let name, _): name.text(values).map { (.json, $0) }
        case .form(let name, _): name.text(values).map { (.form, $0) }
        case .header, .query, .basic, .digest, .signature, .messageSignature, .computed, .proof, .negotiate, .connection: nil
        }
    }

    /// Returns the member of a credential for bodies; `nil` for other placements, or if a value is absent.
    ///
    /// - Parameter values: The values by slot.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for an empty name.
    func member(_ values: [ProgramValue]) throws(CountersignError) -> BodyMembers.Member? {
        let value: String?
        switch self {
        case .json(_, let template): value = template.text(values)
        case .form(_, let template): value = template.text(values)
        case .header, .query, .basic, .digest, .signature, .messageSignature, .computed, .proof, .negotiate, .connection:
            return nil
        }
        guard let value else { return nil }
        guard let name = memberName(values)?.name, !name.isEmpty else {
            throw Self.unusable("the name of its member in the body is empty")
        }
        return BodyMembers.Member(name: name, value: value)
    }

    /// Returns the signer for the Digest scheme; `nil` for other placements, without a challenge, or if a value is absent.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - challenge: The challenge to answer.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a user name with control characters.
    func signer(_ values: [ProgramValue], for challenge: DigestChallenge?) throws(CountersignError) -> DigestSigner? {
        guard case .digest(let user, let password) = self, let challenge, let user = user.text(values),
            let password = password.text(values)
        else { return nil }
        guard !user.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.unusable("it has a control character")
        }
        return DigestSigner(challenge, user: user, password: password)
    }

    /// Returns the signer that computes a signature for each request; `nil` if the placement has none.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - nonces: The nonces that servers require in proofs.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that are invalid in a header field.
    func signature(
        _ values: [ProgramValue], with nonces: ProofNonces
    ) throws(CountersignError) -> (any RequestSigning)? {
        switch self {
        case .signature(let signature): return try signature.signer(values)
        case .messageSignature(let signature): return try signature.signer(values)
        case .proof(let proof): return try proof.signer(values, with: nonces)
        case .computed(let functions, let headers, let query):
            let signer = ComputedFieldsSigner(values: values, functions: functions, headers: headers, query: query)
            try signer.check()
            return signer
        case .header, .query, .json, .form, .basic, .digest, .connection, .negotiate: return nil
        }
    }

    /// Returns the client certificate for connections; `nil` for other placements.
    func identity(_ values: [ProgramValue]) -> ConnectionIdentity? {
        guard case .connection(let slot) = self, case .identity(let identity) = values[slot] else { return nil }
        return identity
    }

    private static func unusable(_ reason: String) -> CountersignError {
        CountersignError(.invalidRequest, detail: "the credential cannot be sent: \(reason)")
    }
}

extension ProgramTemplate {
    /// Whether the text has only literals and times, so that it belongs neither to one credential nor to one signature.
    fileprivate func isCommon(beside functions: [ProgramFunction]) -> Bool {
        pieces.allSatisfy { piece in
            switch piece {
            case .text: true
            case .computed(let number):
                if functions.indices.contains(number), case .time = functions[number] { true } else { false }
            case .slot, .requestOrigin, .request: false
            }
        }
    }
}

extension HTTPField.Name {
    /// Whether the field belongs to the framing, routing or a single hop of a message (RFC 9110, sections 7.2 to 7.8 and 11.7).
    var isOfConnection: Bool {
        ["host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer"].contains(
            canonicalName)
            || canonicalName.hasPrefix("proxy-")
    }

    /// Whether the field has a meaning by which it cannot carry a credential whose server chooses the name: for the connection, the
    /// routing, the body, the conditions and the result of the request, another credential, or the client that sends it.
    fileprivate var hasOwnMeaning: Bool {
        let names: Set = [
            "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control", "cookie", "cookie2",
            "date", "dpop", "early-data", "expect", "forwarded", "from", "max-forwards", "origin", "pragma", "prefer", "range",
            "referer", "set-cookie", "signature", "signature-input", "true-client-ip", "user-agent", "via", "x-client-ip",
            "x-http-method", "x-http-method-override", "x-method-override", "x-original-url", "x-real-ip", "x-rewrite-url",
        ]
        let families = ["content-", "if-", "sec-", "x-forwarded-"]
        return isOfConnection || names.contains(canonicalName) || families.contains { canonicalName.hasPrefix($0) }
    }
}
