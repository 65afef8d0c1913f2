import CountersignSpec

extension BrokenSpec {
    /// The valid method with grants with a text replaced.
    fileprivate static func grant(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.grants.changing(old, to: new)), suggests: suggestion,
            alongside: consequences)
    }
}

extension BrokenSpecs {
    static let grants: [BrokenSpec] = [
        .grant(
            .proofKeyMethod, "a hash that a server takes as plain",
            "            code_challenge: \"{generated.code_challenge}\"\n            code_challenge_method: S256\n",
            "            «code_challenge»: \"{generated.code_challenge}\"\n"),
        .grant(
            .proofKeyMethod, "a hash that is said to be plain", "code_challenge_method: S256", "«code_challenge_method»: plain"),
        .grant(.literalSecret, "a secret in a spec", "secret: \"{secret}\", authentication", "secret: «hunter2», authentication"),
        .grant(
            .literalSecret, "a secret that is no secret", "secret: \"{secret}\", authentication",
            "secret: \"«{name}»\", authentication"),
        .grant(.unusedCapture, "a value that nothing sends", "capture: { code: code }", "capture: { code: code, «extra»: extra }"),
        .grant(
            .neverRenews, "a renewal without what it renews",
            "      - request:\n          post: \"{tokenURL}\"\n          form: { refresh_token: \"{token.refresh_token}\" }",
            "      - «r»equest:\n          post: \"{tokenURL}\"\n          form: { grant: again }"),
        .grant(
            .invalidValue, "what a step has left, in an address", "              - \"{pageURL}\"\n",
            "              - \"{pageURL}/{«generated.state»}\"\n"),
        .grant(.reservedName, "a grant with the name of a type of Swift's", "  service:\n", "  «error»:\n"),
        .grant(.reservedName, "a grant with the name of what takes over", "  service:\n", "  «next»:\n"),
        .grant(.collidingTypeName, "a grant with the name of a type of its landscape", "  service:\n", "  «service-parameters»:\n"),
        .grant(.collidingTypeName, "two grants of one name in Swift", "  service:\n", "  «code_»:\n"),
        .method(
            .missingKey, "tokens without grants", "credential: session-cookies", "«credential»: oauth2-token",
            alongside: [.misplacedKey, .unknownReference]),
        .method(.missingKey, "a flow without steps", "flow:", "«flow»: { busy: busy }\nx:", alongside: [.unknownKey]),
        .method(
            .misplacedKey, "grants without tokens", "flow:",
            "«grants»: { code: { parameters: WebParameters, authenticate: [{ request: { post: \"{loginURL}\", form: { a: b }, decode: oauth2-token } }] } }\nflow:"
        ),
        .grant(
            .misplacedKey, "steps beside grants", "  invalid-argument", "  «authenticate»: [{ fail: refused }]\n  invalid-argument"),
        .grant(
            .misplacedKey, "something else than an error for a token that is refused", "[{ fail: refused }]",
            "[«{» generate: [state] }]"),
        .grant(
            .unknownReference, "a struct that there is not", "parameters: CodeParameters", "parameters: «CodeParameter»",
            suggests: "CodeParameters", alongside: [.unusedParameter]),
        .grant(
            .unusedParameter, "a struct without a grant", "  ServiceParameters:",
            "  «OtherParameters»: { summary: Others., fields: { a: { type: string, example: a, summary: A. } } }\n  ServiceParameters:"
        ),
        .grant(
            .neverSucceeds, "steps that bring no token",
            """
                refresh:
                  - request:
                      post: "{tokenURL}"
                      form: { refresh_token: "{token.refresh_token}" }
                      decode: oauth2-token

            """,
            """
                «refresh»:
                  - request:
                      post: "{tokenURL}"
                      form: { refresh_token: "{token.refresh_token}" }
                      decode: oauth2-token
                  - generate: [state]

            """),
        .grant(
            .unknownReference, "a value that nothing captures", "\"{captured.code}\"", "\"{«captured.cod»}\"",
            suggests: "captured.code"),
        .grant(
            .unknownReference, "a value that nothing generates", "\"{generated.code_verifier}\"", "\"{«generated.nonce»}\"",
            suggests: "generated.state"),
        .grant(
            .unknownReference, "a token where there is none yet", "code: \"{captured.code}\"",
            "code: \"{«token.refresh_token»}\""),
        .grant(
            .exposedSecret, "a secret in a page's address", "client_id: \"{client}\"", "client_id: \"{«generated.code_verifier»}\""),
        .grant(.wrongType, "scopes with something around them", "\"{scopes}\"", "\"openid {«scopes»}\""),
        .grant(
            .wrongType, "a redirect that no presenter can move", "redirect: \"{redirectURL}\"", "redirect: \"«{redirectURL}/x»\""),
        .grant(.wrongType, "a function that is none", "prepare: handler", "prepare: «name»"),
        .grant(.unknownField, "a function that there is not", "prepare: handler", "prepare: «handle»", suggests: "handler"),
        .grant(
            .unverifiedRedirect, "a redirect that anybody can bring about",
            "finish:\n            redirect: \"{redirectURL}\"\n            verify: { state: \"{generated.state}\" }",
            "«finish»:\n            redirect: \"{redirectURL}\"\n            verify: { client: \"{client}\" }"),
        .grant(
            .unreachableStep, "a page that hides those after it", "- \"{shortURL}\"", "- \"«{pageURL}»\""),
        .grant(.optionalReference, "a last page that may be absent", "- \"{pageURL}\"", "- \"{«shortURL»}\""),
        .grant(
            .wrongShape, "a last page with conditions", "- \"{pageURL}\"", "- «{» url: \"{pageURL}\", only-in: embedded-web-view }"),
        .grant(
            .unverifiedRedirect, "a page whose query has no state", "query: { s: \"{generated.state}\" }",
            "«query»: { s: \"{client}\" }"),
        .grant(
            .misplacedKey, "a page without the proof key, wherever it is opened",
            "only-in: embedded-web-view, query: { s: \"{generated.state}\" }, without",
            "query: { s: \"{generated.state}\" }, «without»"),
        .grant(
            .unknownWord, "a page without the state", "without: [code_verifier]", "without: [«state»]"),
        .grant(
            .wrongType, "a page that is no URL", "url: \"{innerURL}\", only-in", "url: \"{«client»}\", only-in"),
        .grant(
            .unknownReference, "a successor that there is not", "then: code", "then: «codes»", suggests: "code"),
        .grant(.unknownReference, "a successor that is itself", "then: code", "then: «ticket»"),
        .grant(
            .misplacedKey, "a limit for a grant that nothing takes over from", "    then: code\n    within", "    «within»"),
        .grant(.invalidValue, "a limit that is none", "within: 90s", "within: «0s»"),
        .grant(.invalidValue, "a limit without a unit", "within: 90s", "within: «90»"),
        .grant(
            .misplacedKey, "a grant that renews although another takes over", "    then: code\n",
            """
                «refresh»:
                  - request: { post: "{tokenURL}", form: { r: "{token.refresh_token}" }, decode: oauth2-token }
                then: code

            """),
        BrokenSpec(
            .wrongType, "a successor that takes a field for something else",
            SpecSources(
                method: ValidSpec.grants.changing("then: code", to: "then: «code»")
                    .changing(
                        "type: string, example: app, summary: The client of tickets", to: "type: secret, example: app, summary: C"))
        ),
        BrokenSpec(
            .missingKey, "a successor that needs more",
            SpecSources(
                method: ValidSpec.grants.changing("then: code", to: "then: «code»")
                    .changing("      client: { type: string, example: app, summary: The client of tickets. }\n", to: "")
                    .changing("beside: [redirectURL, client, ticket]", to: "beside: [redirectURL, ticket]"))),
        .grant(.misplacedKey, "a failure of another step", "status: http", "«dismissed»: cancelled"),
        .grant(.wrongCarriedValues, "an error that carries something else", "server: server", "server: «http»"),
        .grant(
            .unknownField, "an initialiser with a field that there is not", "[tokenURL, handler]", "[tokenURL, «handle»]",
            suggests: "handler"),
        .grant(.duplicateName, "an initialiser with a field twice", "[tokenURL, handler]", "[tokenURL, «tokenURL»]"),
        .grant(.missingKey, "an initialiser without a required field", "- fields: [tokenURL, handler]", "- «fields»: [handler]"),
        .grant(
            .unknownField, "a field beside the settings that there is not", "[redirectURL, client]",
            "[redirectURL, client, «clients»]", suggests: "client"),
        .grant(.invalidValue, "scopes that are none", "default: read write", "default: \"«read  write»\""),
        .grant(
            .invalidValue, "a function in a spec", "handler: { type: request-handler, optional: true,",
            "handler: { type: request-handler, optional: true, example: «x»,"),
        .method(
            .misplacedKey, "random values in a login by cookies", "    - present:\n",
            "    - «generate»: [state]\n    - present:\n"),
        .method(
            .misplacedKey, "a redirect in a login by cookies", "finish: { at: \"{doneURL}\" }",
            "finish: { «redirect»: \"{doneURL}\" }", alongside: [.unverifiedRedirect]),
        .method(
            .misplacedKey, "a page after a resend", "after-resend:\n    - fail: rejected",
            "after-resend: [«{» present: { url: \"{loginURL}\", finish: { at: \"{doneURL}\" } } }]"),
        .method(
            .misplacedKey, "a request in a login by cookies", "    - present:\n",
            "    - «request»: { post: \"{loginURL}\", form: { a: b }, decode: oauth2-token }\n    - present:\n"),
    ]
}
