// The verification of a token that a server has signed.

extension ProgramCallReader {
    /// Reads the verification of a token.
    ///
    /// - Parameter captures: The captures of claims; `nil` if they could not be read.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func verification(
        _ node: DocumentNode, captures: [ResolvedProgram.Capture]?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Verification? {
        func slot(_ key: String, _ type: ProgramType, _ rule: String, into diagnostics: inout DiagnosticCollector) -> Int? {
            node[key].flatMap {
                self.slot(
                    $0, of: type, among: scope.kindsInSteps, refusal: "nothing can be checked without it; add 'when'", rule,
                    into: &diagnostics)
            }
        }
        let token = slot("jwt", .secret, "'jwt' must be a whole reference to a token of type 'secret'", into: &diagnostics)
        let keys = slot("keys", .url, "'keys' must be a whole reference to a value of type 'url'", into: &diagnostics)
        let accessToken = slot(
            "access-token", .secret, "'access-token' must be a whole reference to an access token of type 'secret'",
            into: &diagnostics)
        let maximumAge = node["max-age"].flatMap {
            self.slot(
                $0, of: .string, among: scope.kindsInSteps, "'max-age' must be a whole reference to a value of type 'string'",
                into: &diagnostics)
        }
        let claims = members(node["claims"], isHidden: true, into: &diagnostics)
        for name in ["iss", "aud"] {
            guard let claims = node.entry("claims"), claims.value[name] == nil else { continue }
            diagnostics.report(
                .missingKey,
                "without '\(name)', a token of another \(name == "iss" ? "issuer" : "client") would be accepted; add it",
                at: claims.keySpan)
        }
        for entry in node["claims"]?.entries ?? [] where ["iss", "aud"].contains(entry.key.value) {
            let reader = ProgramTemplateReader(
                scope: scope, kinds: scope.kindsInSteps,
                refusal: "without it, a token of another issuer or client would be accepted; make it required"
            )
            _ = reader.read(entry.value, into: &diagnostics)
        }
        guard let token, let keys, let claims, let captures, accessToken != nil || node["access-token"] == nil,
            maximumAge != nil || node["max-age"] == nil
        else { return nil }
        return ResolvedProgram.Verification(
            token: token, keys: keys, claims: claims, accessToken: accessToken, maximumAge: maximumAge,
            captures: captures)
    }
}
