import CountersignSpec

extension BrokenSpec {
    /// The valid method with conditions, values of its own steps, and JSON, with a text replaced.
    fileprivate static func steps(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.steps, code, title, [old: new], suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let steps = ends + spaces + conditions + computed + derived + updates + ways + stepValues + trees + dates

    private static let conditions: [BrokenSpec] = [
        .steps(
            .unknownReference, "a slip in a condition", "{ receipt: present, seed", "{ «reciept»: present, seed",
            suggests: "receipt"),
        .steps(.unknownReference, "a condition on what a later step fills", "{ project: present }", "{ «receipt»: present }"),
        .steps(.unknownReference, "a condition on the request", "{ project: present }", "{ «request»: present }"),
        .steps(.invalidValue, "a condition in braces", "{ project: present }", "{ \"«{project}»\": present }"),
        .steps(
            .unknownWord, "a condition on a text as if it were a boolean", "{ project: present }", "{ project: «true» }"),
        .steps(.unknownWord, "a condition of another kind", "{ project: present }", "{ project: «set» }"),
        .steps(.needlessMark, "a condition that always holds", "{ project: present }", "{ project: present, «user»: present }"),
        .steps(.unreachableStep, "a condition that never holds", "{ project: present }", "{ project: present, «user»: absent }"),
        .steps(
            .unreachableStep, "a condition on what another answer brings", "{ receipt: present, seed: present }",
            "{ receipt: present, «credential.token»: present, seed: present }"),
        .steps(.emptyCollection, "no condition", "{ project: present }", "«{»}"),
        .steps(
            .notExactlyOne, "a condition without a step", "  - when: { receipt: present, seed",
            "  - «{» when: { seed: present } }\n  - when: { receipt: present, seed"),
    ]

    /// Keys that are derived from passwords, and parts of texts.
    private static let derived: [BrokenSpec] = [
        .steps(
            .missingKey, "a derived key without a salt", "{ totp: \"{seed}\" }",
            "{ «pbkdf2»: sha-256, key: \"{seed}\", iterations: 1 }", says: "'pbkdf2' needs the key 'salt'"),
        .steps(
            .invalidValue, "a derived key without iterations", "{ totp: \"{seed}\" }",
            "{ pbkdf2: sha-256, key: \"{seed}\", salt: a, iterations: «0» }",
            says: "the number of iterations must be from 1 to 2000000"),
        .steps(
            .wrongType, "a secret number of iterations", "{ totp: \"{seed}\" }",
            "{ pbkdf2: sha-256, key: \"{seed}\", salt: a, iterations: \"{«seed»}\" }",
            says: "'iterations' must be a number, or a whole reference to a 'string' with one"),
        .steps(
            .unknownWord, "a derived key with a weak hash", "{ totp: \"{seed}\" }",
            "{ pbkdf2: «md5», key: \"{seed}\", salt: a, iterations: 1 }"),
        .steps(
            .misplacedKey, "a salt of a hash", "{ totp: \"{seed}\" }", "{ hash: sha-256, of: \"{seed}\", «salt»: a }",
            says: "'salt' is only valid with 'pbkdf2'"),
        .steps(
            .missingKey, "a part that is the whole text", "{ totp: \"{seed}\" }", "{ «part»: \"{seed}\" }",
            says: "this is the whole text; add 'after' or 'before', or write 'value'"),
    ]

    /// Fields that responses replace.
    private static let updates: [BrokenSpec] = [
        .steps(
            .unknownReference, "an update of no field", "rejected:\n", "update: { «tokn»: { header: X-Next } }\nrejected:\n",
            suggests: "token", says: "the credential has no field 'tokn'"),
        .steps(
            .wrongType, "an update of a time", "rejected:\n", "update: { «expires»: { header: X-Next } }\nrejected:\n",
            says: "responses can only replace texts and secrets, and 'expires' is a 'date'"),
        .steps(
            .misplacedKey, "an update from the field of cookies", "rejected:\n",
            "update: { token: { header: «Set-Cookie» } }\nrejected:\n",
            says: "the value of a cookie is captured by its name; write 'cookie'"),
        .steps(
            .notExactlyOne, "an update from two places", "rejected:\n",
            "update: { token: { header: X-Next, «cookie»: next } }\nrejected:\n"),
    ]

    private static let ends: [BrokenSpec] = [
        .steps(
            .misplacedKey, "a question after a logout", "end:\n",
            "end:\n  - «prompt»: { fields: { user: { type: string, summary: The name. } } }\n"),
        .steps(
            .unfilledField, "what a step found out before the logout", "headers: { X-Token: \"{credential.token}\" }",
            "headers: { X-Token: \"{credential.token}\", X-Receipt: \"{«receipt»}\" }"),
        .steps(
            .unknownReference, "a challenge after a logout", "headers: { X-Token: \"{credential.token}\" }",
            "headers: { X-Token: \"{credential.token}\", X-Realm: \"{«challenge.realm»}\" }"),
        .steps(
            .optionalReference, "a parameter that a prompt has filled", "\"{user?}\"]", "\"{«user»}\"]", suggests: "user?"),
        .steps(
            .unusedCapture, "a field of the credential that the end fills", "capture: { next: { header: X-Next, optional: true } }",
            "capture: { next: { header: X-Next, optional: true }, «token»: { header: X-Token } }"),
        .steps(.emptyCollection, "no steps to the end", "end:\n", "end: «[»]\nrest:\n", alongside: [.unknownKey]),
    ]

    private static let spaces: [BrokenSpec] = [
        .steps(
            .contradictorySpace, "one credential for all, and one for each", "  for: [\"{servers}\"]",
            "  per: [\"{request.url.origin}\"]\n  space: «servers»\n  for: [\"{servers}\"]"),
        .steps(
            .mismatchedExample, "an example with another status", "www-authenticate: Bearer }",
            #"www-authenticate: Bearer, example: «"»HTTP/1.1 403 Forbidden\nWWW-Authenticate: Bearer" }"#,
            says: "the example does not match 'login': its status is 403, not 401"),
        .steps(
            .mismatchedExample, "an example with another scheme", "www-authenticate: Bearer }",
            #"www-authenticate: Bearer, example: «"»HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic" }"#,
            says:
                "the example does not match 'login': no field 'www-authenticate' offers the scheme 'Bearer' with the parameters that it needs"
        ),
        .steps(
            .mismatchedExample, "an example with a field that must be absent", "www-authenticate: Bearer }",
            #"headers: { X-Session: absent }, example: «"»HTTP/1.1 401 Unauthorized\nx-session: 1" }"#,
            says: "the example does not match 'login': it has the field 'X-Session'"),
        .steps(
            .invalidValue, "an example that is no response", "www-authenticate: Bearer }",
            #"www-authenticate: Bearer, example: «401 Unauthorized» }"#),
    ]

    private static let computed: [BrokenSpec] = [
        .changed(
            ValidSpec.steps, .wrongType, "a text among merged objects",
            [
                "    compute: { passcode: { totp: \"{seed}\" } }":
                    "    compute: { passcode: { totp: \"{seed}\" }, all: { merge: [{ a: b }, «plain»] } }"
            ],
            says: "only objects, and whole references to texts with an object, can be merged"),
        .changed(
            ValidSpec.steps, .exposedSecret, "merged objects with a secret in a query",
            [
                "  - when: { project: present }\n    compute: { scope":
                    "  - compute: { all: { merge: [{ a: \"{password}\" }] } }\n  - when: { project: present }\n    compute: { scope",
                "json: { login: {": "query: { all: \"{«all»}\" }\n      json: { login: {",
            ]),
        .changed(
            ValidSpec.steps, .exposedSecret, "an encoded secret in a query",
            [
                "  - when: { project: present }\n    compute: { scope":
                    "  - compute: { all: { join: [\"{password}\"], as: hex } }\n  - when: { project: present }\n    compute: { scope",
                "json: { login: {": "query: { all: \"{«all»}\" }\n      json: { login: {",
            ]),
        .changed(
            ValidSpec.steps, .optionalReference, "a passcode without a key",
            ["{ receipt: present, seed: present }": "{ receipt: present }", "\"{seed}\"": "\"{«seed»}\""],
            alongside: [.filledTwice]),
        .steps(
            .optionalReference, "joined texts of which none is certain", "    compute: { passcode: { totp: \"{seed}\" } }",
            "    compute: { passcode: { totp: \"{seed}\" }, label: { join: «[»\"{project?}\", \"{user}{project?}\"] } }",
            alongside: [.unusedCapture]),
        .steps(
            .exposedSecret, "a secret among joined texts", "compute: { passcode: { totp: \"{seed}\" } }",
            "compute: { passcode: { totp: \"{seed}\" }, label: { join: [a, \"{«receipt»}\"] } }", alongside: [.unusedCapture]),
        .changed(
            ValidSpec.steps, .wrongType, "joined texts for a secret",
            [
                "compute: { passcode: { totp: \"{seed}\" } }": "compute: { passcode: { join: [a, b] } }",
                "{ passcode: { type: secret, summary: A passcode. } }": "{ passcode: { type: «secret», summary: A passcode. } }",
            ], suggests: "string"),
        .steps(
            .emptyCollection, "joined texts that are none", "compute: { passcode: { totp: \"{seed}\" } }",
            "compute: { passcode: { join: «[»] } }", alongside: [.wrongType]),
        .changed(
            ValidSpec.steps, .literalSecret, "a key that is no secret",
            ["seed: { type: secret,": "seed: { type: string,", "totp: \"{seed}\"": "totp: \"«{seed}»\""],
            says: "the key of one-time passcodes is a secret, but 'seed' would be visible; give it 'type: secret'"),
        .steps(.literalSecret, "a literal key", "totp: \"{seed}\"", "totp: «JBSWY3DPEHPK3PXP»"),
        .steps(
            .notExactlyOne, "a value of two functions", "totp: \"{seed}\"", "totp: \"{seed}\", «json»: {}"),
        .steps(.notExactlyOne, "a value of no function", "{ passcode: { totp: \"{seed}\" } }", "{ «passcode»: {} }"),
        .steps(.unknownKey, "a function that is none", "totp:", "«hotp»:", suggests: "totp"),
        .steps(.emptyCollection, "nothing to compute", "compute: { passcode: { totp: \"{seed}\" } }", "compute: «{»}"),
        .steps(
            .wrongType, "JSON in a field of the credential", "compute: { scope:", "compute: { «token»: { json: {} }, scope:",
            alongside: [.filledTwice, .filledTwice]),
        .steps(
            .filledTwice, "a parameter that is computed", "compute: { scope:", "compute: { «user»: { json: {} }, scope:",
            alongside: [.wrongType]),
    ]

    private static let ways: [BrokenSpec] = [
        .changed(
            ValidSpec.steps, .unfilledField, "an answer that leads nowhere",
            [
                "  - when: { receipt: present }\n    http:": "  - when: { receipt: present, seed: present }\n    http:",
                "- status: 202": "- «status»: 202",
            ]),
        .changed(
            ValidSpec.steps, .unfilledField, "an answer whose last step lacks the token",
            [
                "- status: 202": "- «status»: 202", "{ token: { header: X-Token }, expires: { header": "{ expires: { header",
            ]),
        .steps(
            .optionalReference, "a parameter that is there on some ways", "password: \"{password}\" }",
            "password: \"{password}\", project: \"{«project»}\" }", suggests: "project?"),
        .steps(
            .optionalReference, "a parameter that the condition does not name", "json: { project: \"{project}\" }",
            "json: { project: \"{project}\", key: \"{«seed»}\" }", suggests: "seed?"),
        .steps(
            .needlessMark, "a mark on what the step's condition says", "json: { project: \"{project}\" }",
            "json: { project: \"{«project?»}\" }", suggests: "project"),
        .steps(
            .tooManyPaths, "too many ways", "  - http:\n      send: \"POST {endpoint}/login\"",
            tooManyConditions + "  - http:\n      send: \"POST {endpoint}/login\""),
    ]

    /// Steps that each double the number of paths, by a value of their own.
    private static let tooManyConditions =
        (1...11).map { number in
            let key = number == 10 ? "«http»" : "http"
            return
                "  - \(key): { send: \"GET {endpoint}\", answers: [{ status: 200, capture: { v\(number): { header: A } } }, { status: 204 }] }\n"
        }.joined()
        + "  - when: { \((1...11).map { "v\($0): absent" }.joined(separator: ", ")) }\n    http: { send: \"GET {endpoint}\", answers: [{ status: 200 }] }\n"

    private static let stepValues: [BrokenSpec] = [
        .steps(
            .unknownReference, "a slip in a value of a step", "json: { passcode: \"{passcode}\"",
            "json: { passcode: \"{«passcod»}\"",
            suggests: "passcode"),
        .changed(
            ValidSpec.steps, .unknownField, "a slip in a field of the credential",
            ["capture: { token: { header: X-Token }, expires: { json": "capture: { «tokn»: { header: X-Token }, expires: { json"],
            suggests: "token"),
        .steps(
            .unusedCapture, "a capture that no step names", "capture: { receipt: { header: X-Receipt, type: secret }",
            "capture: { «recipe»: { header: X-Recipe }, receipt: { header: X-Receipt, type: secret }"),
        .steps(
            .wrongType, "a value of two types", "{ passcode: { type: secret, summary: A passcode. } }",
            "{ passcode: { type: «string», summary: A passcode. } }", suggests: "secret"),
        .steps(
            .filledTwice, "a parameter that is captured", "capture: { receipt: { header: X-Receipt, type: secret }",
            "capture: { «user»: { header: X-User }, receipt: { header: X-Receipt, type: secret }"),
        .changed(
            ValidSpec.steps, .filledTwice, "a prompt for a parameter that is always there",
            ["user: { type: string, optional: true,": "user: { type: string,", "fields: { user": "fields: { «user»"],
            alongside: [.needlessMark]),
        .steps(
            .unknownReference, "the answer to a prompt in a request of the application's", "Bearer {credential.token}\" }",
            "Bearer {credential.token}\", X-User: \"{«user»}\" }",
            says:
                "a prompt asks for 'user', but requests carry an answer only as a field of the credential; add a field for the answer, and refer to it"
        ),
        .steps(
            .unknownReference, "a value of a step in a request of the application's", "Bearer {credential.token}",
            "Bearer {«receipt»}"),
        .steps(
            .exposedSecret, "a secret of a step in a query", "headers: { X-Receipt",
            "query: { a: \"{«receipt»}\" }\n      headers: { X-Receipt"),
        .steps(
            .unfilledField, "a value before its step", "json: { login:",
            "headers: { X-Receipt: \"{«receipt»}\" }\n      json: { login:"),
    ]

    private static let trees: [BrokenSpec] = [
        .steps(
            .optionalReference, "JSON that may be absent as a whole", "json: { project: \"{project}\" }", "json: \"{«seed?»}\""),
        .steps(.wrongType, "JSON in a text", "scope: \"{scope?}\" }", "scope: \"all {«scope?»}\" }"),
        .steps(
            .wrongType, "JSON in a header", "headers: { X-Receipt: \"{receipt}\" }",
            "headers: { X-Receipt: \"{receipt}{«scope?»}\" }"),
        .steps(.wrongType, "origins in JSON", "scope: \"{scope?}\" }", "scope: \"{scope?}\", to: \"{«servers»}\" }"),
        .steps(.malformedTemplate, "a reference without quotes in JSON", "user: \"{user}\"", "user: «{»user}"),
        .steps(.malformedTemplate, "a brace in JSON", "user: \"{user}\"", "user: \"«{»user\""),
        .steps(.wrongShape, "a member without a value", "user: \"{user}\"", "«user»: "),
        .steps(
            .misplacedKey, "JSON that is not sent", "send: \"POST {endpoint}/login\"\n      json",
            "send: \"GET {endpoint}/login\"\n      «json»"),
        .steps(
            .duplicateName, "a header that the JSON writes", "headers: { X-Receipt",
            "headers: { «Content-Type»: text/plain, X-Receipt"),
    ]

    private static let dates: [BrokenSpec] = [
        .steps(
            .wrongType, "an expiry after a date", "at: \"{credential.expires?}\"", "after: \"{«credential.expires?»}\""),
        .steps(
            .notExactlyOne, "two expiries", "expires: { at:", "expires: { after: \"{credential.expires?}\", «at»:",
            alongside: [.wrongType]),
        .steps(.misplacedKey, "a date with a default", "type: date, optional: true", "type: date, «default»: never"),
        .steps(
            .wrongType, "a date with 'from'", "expires: { type: date,", "expires: { type: date, «from»: \"{endpoint}\",",
            alongside: [.filledTwice, .filledTwice]),
        .steps(.wrongType, "a date in a header", "Bearer {credential.token}", "Bearer {credential.token}{«credential.expires?»}"),
        .steps(.wrongType, "a length of time for a date", "type: date, optional", "type: «duration», optional", suggests: "date"),
    ]
}
