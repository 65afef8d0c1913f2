import CountersignSpec

extension BrokenSpec {
    /// The valid method that signs tokens, with texts replaced.
    fileprivate static func assertion(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            ValidSpec.assertion, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let assertions: [BrokenSpec] = [
        .assertion(.missingKey, "a token that nothing signs", ["jwt: { key: \"{key}\", ": "«jwt»: { "]),
        .assertion(
            .missingKey, "a token that says nothing",
            ["jwt: { key: \"{key}\", claims: { iss: \"{name}\" }": "«jwt»: { key: \"{key}\""]),
        .assertion(.emptyCollection, "a token without claims", ["claims: { iss: \"{name}\" }": "claims: «{»}"]),
        .assertion(.unknownKey, "a token with a time of its own", ["clock-skew: 30s": "«expires»: 30s"]),
        .assertion(.literalSecret, "a signing key for all to see", ["jwt: { key: \"{key}\",": "jwt: { key: \"«{name}»\","]),
        .assertion(
            .literalSecret, "a signing key in the spec", ["jwt: { key: \"{key}\",": "jwt: { key: «PEM»,"],
            says: "a private key is a secret, but this text would be in the generated code; refer to a parameter of type 'secret'"),
        .assertion(
            .optionalReference, "a signing key that may be absent",
            [
                "key: { type: secret,": "key: { type: secret, optional: true,",
                "          key: \"{key}\"": "          key: \"{«key?»}\"",
            ], says: "'key' may be absent, and nothing can be signed without it; add 'when'",
            alongside: [.optionalReference]),
        .assertion(
            .optionalReference, "a claim that may be absent, without its mark",
            ["scope: \"{scopes?}\"": "scope: \"{«scopes»}\""], suggests: "scopes?"),
        .assertion(
            .unknownReference, "a claim that there is not", ["aud: [\"{endpoint}\"]": "aud: [\"{«endpiont»}\"]"],
            suggests: "endpoint"),
        .assertion(
            .optionalReference, "a claim whose name may be absent", ["scope: \"{scopes?}\"": "\"{«scopes?»}\": a"],
            says: "'scopes' may be absent, and a value needs a name; give the parameter a default"),
        .assertion(
            .unknownWord, "an algorithm that a token cannot have", ["rsa-algorithm: PS256": "rsa-algorithm: «PS265»"],
            suggests: "PS256"),
        .assertion(
            .duplicateName, "an expiry beside the one that is added",
            ["claims: { iss: \"{name}\" }": "claims: { iss: \"{name}\", «exp»: 1 }"],
            says: "'jwt' already sets 'exp'; write 'lifetime' beside 'claims' to change it"),
        .assertion(
            .duplicateName, "a time of issue beside the one that is added",
            ["claims: { iss: \"{name}\" }": "claims: { iss: \"{name}\", «iat»: 1 }"],
            says: "'jwt' already sets 'iat'; write 'clock-skew' beside 'claims' to change it"),
        .assertion(.invalidValue, "a token for no time", ["lifetime: 3m": "lifetime: «soon»"]),
        .assertion(
            .invalidValue, "a token for more than a day", ["lifetime: 3m": "lifetime: «25h»"],
            says: "the lifetime of a token must be from 1s to 24h, in whole seconds"),
        .assertion(
            .invalidValue, "a token for a second and a half", ["lifetime: 3m": "lifetime: «1500ms»"],
            says: "the lifetime of a token must be from 1s to 24h, in whole seconds"),
        .assertion(
            .invalidValue, "a token that has expired", ["clock-skew: 30s": "clock-skew: «60s»"],
            says: "the token would have expired before it is signed; 'clock-skew' must be less than 'lifetime'"),
        .assertion(
            .invalidValue, "a clock that is half a second behind", ["clock-skew: 30s": "clock-skew: «500ms»"],
            says: "'clock-skew' must be in whole seconds"),
        .assertion(
            .wrongType, "a token that is no secret",
            ["own: { type: secret,": "own: { type: string,", "compute: { own:": "compute: { «own»:"],
            says: "the result of this function is a 'secret', but 'own' is a 'string'"),
        .assertion(
            .wrongType, "a credential for no time", ["after: 55m": "after: «soon»"],
            says:
                "'after' must be a duration, such as '55m', or a whole reference to a field of the credential of type 'duration', such as \"{credential.lifetime}\""
        ),
        .assertion(
            .wrongType, "an expiry that is a duration", ["after: 55m": "at: «55m»"],
            says: "'at' must be a whole reference to a field of the credential of type 'date', such as \"{credential.expiry}\""),
    ]
}
