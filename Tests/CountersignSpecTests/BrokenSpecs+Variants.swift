import CountersignSpec

extension BrokenSpec {
    /// The valid method with variants with a text replaced.
    fileprivate static func variant(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            method: ValidSpec.variants, code, title, [old: new], suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let variants: [BrokenSpec] = variantsOfTokens + variantParameters + handovers + tokenRequests

    private static let variantsOfTokens: [BrokenSpec] = [
        .variant(.reservedName, "a variant with the name of a type of Swift's", "  service:\n", "  «error»:\n"),
        .variant(.reservedName, "a variant with the name of what takes over", "  service:\n", "  «next»:\n"),
        .variant(
            .collidingTypeName, "a variant with the name of a type of its landscape", "  service:\n", "  «service-parameters»:\n"),
        .variant(.collidingTypeName, "two variants of one name in Swift", "  service:\n", "  «code_»:\n"),
        .variant(.invalidName, "a variant with a blank", "  service:\n", "  «a service»:\n"),
        .changed(
            method: ValidSpec.variants, .missingKey, "a token without a way to it",
            ["  token: oauth2": "  «token»: oauth2", variantsText: ""],
            says: "a token needs at least one entry under 'variants'",
            alongside: [.unfilledField]),
        .variant(
            .misplacedKey, "variants of a login that leaves cookies",
            "credential:\n  token: oauth2\n  for: [steps, requested]", "«credential»: { cookies: shared }",
            says: "'variants' obtain a token; write 'token: oauth2' under 'credential', or the steps under 'acquire'"),
        .variant(
            .misplacedKey, "steps beside variants", "rejected:\n",
            "«acquire»: [{ http: { send: \"GET https://a.example/\", answers: [{ status: 200 }] } }]\nrejected:\n",
            says: "each variant has its own 'acquire'; move it there"),
        .variant(
            .misplacedKey, "a renewal beside variants", "rejected:\n",
            "«renew»: [{ http: { send: \"GET https://a.example/\", answers: [{ status: 200 }] } }]\nrejected:\n",
            says: "each variant has its own 'renew'; move it there", alongside: [.neverRenews]),
        .variant(
            .misplacedKey, "an end beside variants", "rejected:\n",
            "«end»: [{ http: { send: \"GET https://a.example/\", answers: [{ status: 200 }] } }]\nrejected:\n",
            says: "each variant has its own 'end'; move it there"),
        .variant(
            .misplacedKey, "parameters beside variants", "challenge:\n",
            "«parameters»: { area: { type: string, default: a, summary: A. } }\nchallenge:\n",
            says: "each variant has its own 'parameters'; move it there"),
        .changed(
            method: ValidSpec.variants, .missingKey, "a variant without steps",
            [
                "rejected:\n": "  «other»: { parameters: { a: { type: string, default: a, summary: A. } } }\nrejected:\n"
            ], alongside: [.unfilledField]),
        .variant(
            .unknownReference, "a challenge with a parameter of a variant", "www-authenticate: Bearer }",
            "www-authenticate: Bearer, headers: { A: \"{«tokenURL»}\" } }",
            says: "each variant has its own parameters, but challenges are shared; do not refer to parameters here"),
        .variant(
            .unknownReference, "a challenge under a condition on a parameter of a variant", "www-authenticate: Bearer }",
            "www-authenticate: Bearer, when: { «shortURL»: present } }",
            says: "each variant has its own parameters, but challenges are shared; do not refer to parameters here"),
        .variant(
            .nothingToResend, "something else than an error for a token that is refused", "then: [acquire], error: refused",
            "then: [«resend»], error: refused",
            says: "'resend' runs no steps, but 'access_token' has no 'from'; write '[acquire]', which sets it again"),
        .variant(.misplacedKey, "labels beside variants", "rejected:\n", "swift: { «labels»: [codeParameters] }\nrejected:\n"),
        .variant(.misplacedKey, "a completion beside variants", "rejected:\n", "swift: { «completion»: logged }\nrejected:\n"),
    ]

    private static let variantsText: String = {
        let text = ValidSpec.variants
        guard let start = text.firstRange(of: "variants:\n"), let end = text.firstRange(of: "rejected:\n") else { return "" }
        return String(text[start.lowerBound..<end.lowerBound])
    }()

    private static let variantParameters: [BrokenSpec] = [
        .variant(
            .unknownField, "an initialiser with a parameter that there is not", "[tokenURL, handler]", "[tokenURL, «handle»]",
            suggests: "handler"),
        .variant(.duplicateName, "an initialiser with a parameter twice", "[tokenURL, handler]", "[tokenURL, «tokenURL»]"),
        .variant(
            .missingKey, "an initialiser without a required parameter", "- fields: [tokenURL, handler]", "- «fields»: [handler]"),
        .variant(
            .wrongCarriedValues, "an initialiser that throws what carries nothing", "throws: invalid", "throws: «refused»",
            says: "the case 'refused' does not fit here: it must carry 'detail: string'"),
        .variant(
            .unknownErrorCase, "an initialiser that throws nothing known", "throws: invalid", "throws: «invalit»",
            suggests: "invalid"),
        .variant(
            .unknownField, "a parameter beside the settings that there is not", "swift: { parameters: CodeParameters,",
            "swift: { parameters: CodeParameters, beside-settings: [redirectURL, client, «clients»],", suggests: "client",
            says: "there is no parameter 'clients'"),
        .variant(.invalidValue, "scopes that are none", "default: read write", "default: \"«read  write»\""),
        .variant(
            .invalidValue, "a function in a spec", "handler: { type: request-handler, optional: true,",
            "handler: { type: request-handler, optional: true, example: «x»,"),
        .variant(
            .unusedParameter, "a parameter that only another variant uses", "      handler: {",
            "      «client»: { type: string, default: app, summary: The client. }\n      handler: {"),
    ]

    private static let handovers: [BrokenSpec] = [
        .variant(
            .unknownReference, "a successor that there is not", "then: code", "then: «codes»", suggests: "code",
            says: "there is no variant 'codes'"),
        .variant(
            .notExactlyOne, "a successor that is itself", "then: code", "then: «ticket»",
            says: "a variant that takes over is used for all later credentials; it must be another variant without 'then'"),
        .variant(
            .notExactlyOne, "a successor with a successor", "    client: { id: \"{name?}\"",
            "    then: «ticket»\n    client: { id: \"{name?}\"",
            says: "a variant that takes over is used for all later credentials; it must be another variant without 'then'",
            alongside: [.missingKey, .missingKey, .missingKey, .missingKey]),
        .variant(
            .misplacedKey, "a limit for a variant that nothing takes over from", "    then: code\n    within", "    «within»"),
        .variant(.invalidValue, "a limit that is none", "within: 90s", "within: «0s»"),
        .variant(.invalidValue, "a limit without a unit", "within: 90s", "within: «90»"),
        .variant(
            .misplacedKey, "a variant that renews although another takes over", "    then: code\n",
            """
                «renew»:
                  - http: { send: "POST {tokenURL}", form: { r: "{credential.refresh_token}" }, answers: oauth2-token }
                then: code

            """, says: "'code' takes over after the first credential and renews it; remove 'renew'"),
        .variant(
            .misplacedKey, "a variant that ends what another takes over", "    then: code\n",
            """
                «end»:
                  - http: { send: "POST {tokenURL}", form: { t: "{credential.access_token}" }, answers: [{ status: 200 }] }
                then: code

            """, says: "'code' takes over after the first credential and ends it; remove 'end'"),
        .variant(
            .wrongType, "a successor that takes a parameter for something else",
            "      client: { type: string, example: app, summary: The client of tickets",
            "      «client»: { type: secret, example: app, summary: The client of tickets",
            says: "'code' takes over and uses 'client', which is of another type there"),
        .variant(
            .wrongType, "a successor that needs what may be absent",
            "      client: { type: string, example: app, summary: The client of tickets",
            "      «client»: { type: string, optional: true, summary: The client of tickets",
            says: "'code' takes over and uses 'client', which is not optional there"),
        .changed(
            method: ValidSpec.variants, .wrongType, "a successor whose initialiser needs what may be absent",
            [
                "labels: [parameters, using] }":
                    "labels: [parameters, using], initialisers: [{ fields: [pageURL, tokenURL, redirectURL, client, shortURL] }] }",
                "shortURL: { type: url, optional: true, summary: A shorter way. }\n      ticket:":
                    "«shortURL»: { type: url, optional: true, summary: A shorter way. }\n      ticket:",
            ],
            says: "'code' takes over and uses 'shortURL', which is optional here, but required by its first initialiser"),
        .changed(
            method: ValidSpec.variants, .missingKey, "a successor whose initialiser needs more",
            [
                "labels: [parameters, using] }":
                    "labels: [parameters, using], initialisers: [{ fields: [pageURL, tokenURL, redirectURL, client, innerURL] }] }",
                "    summary: What a ticket needs.\n    parameters:": "    summary: What a ticket needs.\n    «parameters»:",
            ],
            says: "'code' takes over, and needs the parameter 'innerURL', which is missing here"),
        .changed(
            method: ValidSpec.variants, .wrongType, "a successor that nothing can be made of without an error",
            ["then: code": "then: «code»", "labels: [parameters, using] }": allThrowing],
            says: "'code' cannot take over, because its first initialiser throws"),
        .changed(
            method: ValidSpec.variants, .missingKey, "a successor that needs more",
            [
                "      client: { type: string, example: app, summary: The client of tickets. }\n": "",
                "    summary: What a ticket needs.\n    parameters:": "    summary: What a ticket needs.\n    «parameters»:",
            ],
            says: "'code' takes over, and needs the parameter 'client', which is missing here"),
    ]

    private static let allThrowing = """
        labels: [parameters, using], initialisers: [{ fields: [pageURL, tokenURL, redirectURL, client, scopes], \
        throws: invalid }] }
        """

    private static let tokenRequests: [BrokenSpec] =
        [
            .variant(
                .literalSecret, "a secret in a spec", "secret: \"{secret?}\", authentication", "secret: «hunter2», authentication"),
            .variant(
                .literalSecret, "a secret that is no secret", "secret: \"{secret?}\", authentication",
                "secret: \"«{name?}»\", authentication",
                says: "a client's secret is a secret, but 'name' would be visible; give it 'type: secret'"),
            .variant(
                .unusedCapture, "a value that nothing sends", "capture: { code: { query: code } }",
                "capture: { code: { query: code }, «extra»: { query: extra } }"),
            .changed(
                method: ValidSpec.variants, .neverRenews, "a renewal without what it renews",
                [
                    "    renew:": "    «renew»:",
                    "form: { refresh_token: \"{credential.refresh_token}\" }": "form: { grant: again }",
                ],
                says:
                    "no request here sends a part of the token, so this is a new login; refer to \"{credential.refresh_token}\""),
            .changed(
                method: ValidSpec.variants, .neverRenews, "a renewal that brings no token",
                [
                    "    renew:": "    «renew»:",
                    "form: { refresh_token: \"{credential.refresh_token}\" }\n          answers: oauth2-token":
                        "form: { refresh_token: \"{credential.refresh_token}\" }\n          answers: [{ status: 200 }, { status: 400, error: server }]",
                ]),
            .changed(
                method: ValidSpec.variants, .proofKeyMethod, "a code verifier that no token request sends",
                ["verifier: pkce": "«verifier»: pkce", ", code_verifier: \"{verifier?}\"": ""]),
            .changed(
                method: ValidSpec.variants, .unfilledField, "steps that bring no token",
                [
                    "  token: oauth2": "  «token»: oauth2",
                    "form: { ticket: \"{ticket}\" }\n          answers: oauth2-token":
                        "form: { ticket: \"{ticket}\" }\n          answers: [{ status: 200 }]",
                ],
                says: "no request obtains the token; add one with 'answers: oauth2-token' under 'acquire'"),
            .variant(
                .misplacedKey, "an end that brings a token", "    swift:\n      parameters: ServiceParameters",
                """
                    end:
                      - http: { send: "POST {tokenURL}", form: { t: "{credential.access_token}" }, answers: «oauth2-token» }
                    swift:
                      parameters: ServiceParameters
                """, says: "the steps after a logout obtain no token; write a list of answers"),
            .variant(
                .optionalReference, "an end with a token that may be absent", "      - name: refresh\n        when: {",
                """
                      - http: { send: "POST {tokenURL}", form: { t: "{«credential.refresh_token»}" }, answers: [{ status: 200 }] }
                      - name: refresh
                        when: {
                """, suggests: "credential.refresh_token?"),
            .variant(
                .unknownReference, "a value that nothing captures", "form: { code: \"{code}\"", "form: { code: \"{«codee»}\"",
                suggests: "code"),
            .variant(
                .unfilledField, "a token where there is none yet", "form: { code: \"{code}\"",
                "form: { code: \"{code}\", old: \"{«credential.refresh_token»}\""),
            .variant(
                .exposedSecret, "a secret in a page's address", "client_id: \"{client}\"", "client_id: \"{«verifier»}\""),
            .variant(.wrongType, "scopes with something around them", "scope: \"{scopes?}\"", "scope: \"openid {«scopes?»}\""),
            .variant(
                .wrongType, "a redirect that no presenter can move", "redirect: \"{redirectURL}\"",
                "redirect: \"«{redirectURL}/x»\""),
            .variant(
                .wrongType, "a function that is none", "prepare: \"{handler?}\"", "prepare: \"{«name?»}\"",
                says: "'prepare' must be a whole reference to a parameter of type 'request-handler'"),
            .variant(
                .unknownReference, "a function that there is not", "prepare: \"{handler?}\"", "prepare: \"{«handle»?}\"",
                suggests: "handler"),
            .variant(
                .wrongType, "a function in a form", "form: { grant_type: client_credentials }",
                "form: { grant_type: client_credentials, f: \"{«handler?»}\" }",
                says: "'handler' has the type 'request-handler' and is not a text; use it under 'prepare'"),
            .variant(
                .unverifiedRedirect, "a redirect that anybody can bring about", "verify: { state: \"{state}\" }",
                "«verify»: { client: \"{client}\" }"),
            .variant(
                .unreachableStep, "a page that hides the step's own", "{ open: \"{shortURL?}\" }", "{ open: \"«{pageURL}»\" }",
                says: "this page can always be opened, so the page of the step is never used; refer to an optional parameter"),
            .variant(
                .optionalReference, "a page of the step's own that may be absent", "open: \"{pageURL}\"\n",
                "open: \"{«shortURL?»}\"\n"),
            .variant(
                .unverifiedRedirect, "a page whose query has no state", "query: { state: \"{state}\" } }",
                "«query»: { s: \"{client}\" } }",
                says:
                    "this page does not receive the 'random' value that 'verify' requires; add it here with the same name and text"
            ),
            .variant(
                .misplacedKey, "a page without the proof key, wherever it is opened",
                "{ open: \"{innerURL?}\", only-in: embedded-web-view, query", "{ open: \"{innerURL?}\", «query»"),
            .variant(
                .wrongType, "a page instead that is no URL", "{ open: \"{innerURL?}\"", "{ open: \"«{client}»\""),
            .variant(
                .invalidValue, "what a step has left, in a part of a segment", "{ open: \"{pageURL}/embedded\"",
                "{ open: \"{pageURL}/a{«state»}\""),
            .variant(.misplacedKey, "a failure of another step", "status: http", "«dismissed»: cancelled"),
            .variant(.wrongCarriedValues, "an error that carries something else", "server: server", "server: «http»"),
            .variant(
                .invalidValue, "a token request that is no POST", "send: \"POST {tokenURL}\"\n          form: { ticket",
                "send: \"«PUT {tokenURL}»\"\n          form: { ticket", says: "a token request is a POST (RFC 6749, section 3.2)"),
            .variant(
                .misplacedKey, "a token request with JSON", "          form: { ticket: \"{ticket}\" }",
                "          «json»: { ticket: \"{ticket}\" }",
                says: "a token request is a form (RFC 6749, section 3.2); remove 'json'"),
            .variant(
                .misplacedKey, "a token request with header fields", "          form: { ticket: \"{ticket}\" }",
                "          «headers»: { A: b }\n          form: { ticket: \"{ticket}\" }"),
            .variant(
                .misplacedKey, "a token request with a query", "          form: { ticket: \"{ticket}\" }",
                "          «query»: { a: b }\n          form: { ticket: \"{ticket}\" }"),
            .variant(
                .misplacedKey, "a token request that is signed", "          form: { ticket: \"{ticket}\" }",
                "          «sign»: { basic: { user: a, password: \"{ticket}\" } }\n          form: { ticket: \"{ticket}\" }"),
            .variant(
                .duplicateName, "a client that the form calls something else", "form: { grant_type: client_credentials }",
                "form: { grant_type: client_credentials, «client_id»: other }"),
        ]
        + [
            "fields: { a: { type: string, summary: A. } }", "cookies: private", "expires: { after: \"{credential.access_token}\" }",
            "per: [\"{request.url.origin}\"]", "space: servers", "eager: true",
        ].map { line in
            let key = String(line.prefix { $0 != ":" })
            return .variant(
                .misplacedKey, "'\(key)' beside a token", "  token: oauth2\n",
                "  token: oauth2\n  «\(key)»\(line.dropFirst(key.count))\n",
                says: "'\(key)' cannot be combined with 'token', for which the standard defines it; remove one of them")
        } + [
            .variant(
                .misplacedKey, "an attachment of a token", "rejected:\n",
                "«attach»: [{ headers: { A: \"{credential.access_token}\" } }]\nrejected:\n",
                says: "a token is always sent in the 'Authorization' field (RFC 6750); remove 'attach'"),
            .changed(
                method: ValidSpec.method, .misplacedKey, "a token in a login that leaves cookies",
                [
                    "rejected:\n":
                        "  - http: { send: \"POST {loginURL}\", form: { a: b }, answers: «oauth2-token» }\nrejected:\n"
                ],
                says:
                    "'oauth2-token' requires a token as the credential; write 'token: oauth2' under 'credential', or a list of answers"
            ),
        ]
}
