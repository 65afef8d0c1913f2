// Tokens that the client signs.

extension ProgramFunctionReader {
    /// Reads a token that the client signs.
    func token(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.SignedToken? {
        let key = node["key"].flatMap {
            self.key($0, "a private key", or: "nothing can be signed without it; add 'when'", into: &diagnostics)
        }
        let texts = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let keyIdentifier = node["key-id"].flatMap { texts.template($0, into: &diagnostics) }
        let entries = node["claims"]?.entries ?? []
        let values = ProgramJSONReader(scope: scope, refusal: nil)
        let claims = entries.compactMap { entry -> ResolvedProgram.JSON.Member? in
            let name = values.name(of: entry, into: &diagnostics)
            let value = values.read(entry.value, into: &diagnostics)
            if let key = ["iat": "clock-skew", "exp": "lifetime"][entry.key.value] {
                diagnostics.report(
                    .duplicateName, "'jwt' already sets '\(entry.key.value)'; write '\(key)' beside 'claims' to change it",
                    at: entry.keySpan)
            }
            guard let name, let value else { return nil }
            return ResolvedProgram.JSON.Member(name: name, value: value)
        }
        let lifetime = node["lifetime"] == nil ? 60_000 : node.text("lifetime").flatMap(\.milliseconds)
        let clockSkew = node["clock-skew"] == nil ? 0 : node.text("clock-skew").flatMap(\.milliseconds)
        checkTimes(of: node, lifetime, clockSkew, into: &diagnostics)
        guard let key, keyIdentifier != nil || node["key-id"] == nil, !claims.isEmpty, claims.count == entries.count, let lifetime,
            let clockSkew
        else { return nil }
        return ResolvedProgram.SignedToken(
            claims: claims, key: key, keyIdentifier: keyIdentifier?.resolved, usesPSS: node.text("rsa-algorithm") == "PS256",
            lifetime: lifetime, clockSkew: clockSkew)
    }

    /// Reports times that a token cannot have. They are `nil` if they cannot be read.
    private func checkTimes(
        of node: DocumentNode, _ lifetime: Int?, _ clockSkew: Int?, into diagnostics: inout DiagnosticCollector
    ) {
        if let span = node["lifetime"]?.span, let lifetime,
            !lifetime.isMultiple(of: 1000) || !(1_000...86_400_000).contains(lifetime)
        {
            diagnostics.report(.invalidValue, "the lifetime of a token must be from 1s to 24h, in whole seconds", at: span)
        }
        guard let span = node["clock-skew"]?.span, let clockSkew else { return }
        if !clockSkew.isMultiple(of: 1000) {
            diagnostics.report(.invalidValue, "'clock-skew' must be in whole seconds", at: span)
        } else if let lifetime, clockSkew >= lifetime {
            diagnostics.report(
                .invalidValue, "the token would have expired before it is signed; 'clock-skew' must be less than 'lifetime'",
                at: span)
        }
    }
}
