import CountersignSpec

extension BrokenSpec {
    /// The valid method that reads published and signed data of a server, with texts replaced.
    fileprivate static func publication(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            ValidSpec.publication, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let publications: [BrokenSpec] = [
        .publication(
            .unusedCapture, "a value of a document that no step names",
            ["isStrict: { json": "«other»: { json: /other }\n      isStrict: { json"],
            says: "no step uses '{server.other}'; remove it"),
        .publication(
            .unknownReference, "a value that a document does not have",
            [
                "\"POST {server.tokenURL}\"\n      form: { client_id":
                    "\"POST {«server.tokenUrl»}\"\n      form: { client_id"
            ],
            suggests: "server.tokenURL"),
        .publication(
            .unknownReference, "a value of a document in a request of the application's",
            ["Bearer {credential.token}": "Bearer {«server.tokenURL»}"]),
        .publication(
            .reservedName, "a document with the name of something else",
            ["documents:\n": "documents:\n  «request»:\n    at: [\"{issuer}/a\"]\n    capture: { a: { json: /a } }\n"],
            alongside: [.unusedCapture]),
        .publication(
            .wrongType, "a well-known address of a text", ["of: \"{issuer}\" }": "of: \"«{client}»\" }"]),
        .publication(
            .wrongType, "a well-known address of an address without a reference",
            ["of: \"{issuer}\" }": "of: \"«https://login.example»\" }"],
            says: "'of' is a whole reference to a URL, such as \"{issuer}\""),
        .publication(.wrongShape, "one address in place of a list", ["of: \"{issuer}\" }\n": "of: «[»] }\n"]),
        .publication(
            .missingKey, "an address that may lead anywhere",
            ["keysURL: { json: /jwks_uri, type: url, within: [\"{issuer}\"] }": "«keysURL»: { json: /jwks_uri, type: url }"]),
        .publication(
            .misplacedKey, "a truth value with a default", ["type: boolean }": "type: boolean, «default»: \"true\" }"],
            says: "an absent boolean is false; remove 'default'"),
        .publication(
            .unknownWord, "a truth value that is asked for as another value",
            ["server.isStrict: \"true\"": "server.isStrict: «present»"]),
        .publication(.wrongType, "a truth value in a text", ["client_id: \"{client}\"": "client_id: \"{«server.isStrict?»}\""]),
        .publication(
            .wrongType, "an age that is an address",
            ["access-token: \"{credential.token}\"": "access-token: \"{credential.token}\"\n      max-age: \"{«issuer»}\""],
            says: "'max-age' must be a whole reference to a value of type 'string'"),
        .publication(.invalidValue, "a document for no time", ["expires: 1h": "expires: «tomorrow»"]),
        .publication(.unknownKey, "a document by POST", ["expires: 1h": "«send»: POST"]),
        .publication(.missingKey, "a token for anyone", ["claims: {": "«claims»: {", " aud: \"{client}\",": ""]),
        .publication(.missingKey, "a token of anyone", ["claims: {": "«claims»: {", " iss: \"{issuer}\",": ""]),
        .publication(
            .wrongType, "a token that is no secret", ["jwt: \"{identity}\"": "jwt: \"{«client»}\""]),
        .publication(
            .wrongType, "keys at no address", ["keys: \"{server.keysURL}\"": "keys: \"{«client»}\""], alongside: [.unusedCapture]),
        .publication(
            .optionalReference, "a token that may be absent",
            ["/id_token, type: secret": "/id_token, type: secret, optional: true", "jwt: \"{identity}\"": "jwt: \"{«identity»}\""]),
        .publication(.unknownKey, "a claim outside of 'claims'", ["access-token:": "«nonce»: a\n      access-token:"]),
        .publication(
            .filledTwice, "a token that a claim replaces",
            ["subject: { json: /sub }": "subject: { json: /sub }, «token»: { json: /token, type: secret }"]),
        .publication(
            .unusedCapture, "a claim that nothing uses",
            ["subject: { json: /sub }": "subject: { json: /sub }, «email»: { json: /email }"]),
        .publication(
            .optionalReference, "an audience that may be absent",
            [
                "client: { type: string, summary": "client: { type: string, optional: true, summary",
                "client_id: \"{client}\"": "client_id: \"{client?}\"", "aud: \"{client}\"": "aud: \"{«client?»}\"",
            ]),
        .publication(
            .misplacedKey, "a credential that is kept and renewed",
            ["{ then: [acquire] }": "{ then: [resend], «keep»: \"true\" }"], alongside: [.nothingToResend]),
        .publication(
            .invalidValue, "a rule that keeps the credential perhaps",
            ["{ then: [acquire] }": "{ then: [acquire], keep: «perhaps» }"]),
        .publication(
            .optionalReference, "what the credential before may not have had",
            ["form: { nonce: \"{nonce}\" }": "form: { nonce: \"{«before.token»}\" }"], suggests: "before.token?"),
        .publication(
            .unknownReference, "what no credential has",
            ["form: { nonce: \"{nonce}\" }": "form: { nonce: \"{«before.name»?}\" }"]),
    ]
}
