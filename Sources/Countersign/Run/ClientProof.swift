internal import HTTPTypes

extension HTTPCall.Client {
    /// Adds the client identifier to a request, and authenticates the client if it has a key or a secret.
    ///
    /// - Throws: ``CountersignError``; the method's error for an unusable parameter.
    func authenticate(
        _ fields: inout HTTPFields, _ form: inout FormParameters, with values: [ProgramValue], of method: PreparedProgram
    ) async throws {
        guard let identifier = identifier.text(values) else { return }
        let proof = try await proof(with: values, of: method)
        do {
            try OAuth2Client(identifier: identifier, authentication: proof).authenticate(&fields, &form)
        } catch {
            let detail =
                switch error {
                case .colonInIdentifier: "the client's identifier has a colon, which HTTP Basic cannot carry unencoded"
                case .controlCharacter: "the client's identifier or secret has a control character, which HTTP Basic cannot carry"
                }
            throw CountersignError(.invalidRequest, detail: detail)
        }
    }

    private func proof(
        with values: [ProgramValue], of method: PreparedProgram
    ) async throws -> OAuth2Client.Authentication {
        if let assertion = try await assertion(with: values, of: method) { return .assertion(assertion) }
        guard let secret = secret?.text(values) else { return .none }
        switch authentication.text(values) {
        case "client_secret_basic": return .basic(secret: secret, encoding: .form)
        case "none": return .none
        case "client_secret_post": return .body(secret: secret)
        case "raw_basic": return .basic(secret: secret, encoding: .raw)
        default:
            throw CountersignError(
                .invalidRequest,
                detail: "a client with a secret authenticates by client_secret_basic, client_secret_post or raw_basic")
        }
    }

    /// Returns a signed token that authenticates the client to one server, for a single use (RFC 7523, section 3).
    ///
    /// It is valid for a minute, since it is sent at once.
    ///
    /// - Returns: `nil` for a client without a key.
    private func assertion(with values: [ProgramValue], of method: PreparedProgram) async throws -> String? {
        guard let key, let audience, audience.text(values) != nil else { return nil }
        let function = TokenFunction(
            [.init("iss", .text(identifier)), .init("sub", .text(identifier)), .init("aud", .text(audience))], key: key,
            keyIdentifier: keyIdentifier, rsaAlgorithm: rsaAlgorithm, lifetime: .seconds(60))
        return try await function.token(values, of: method)
    }
}
