import CountersignSpec

extension BrokenSpec {
    /// The valid method with a login page and a renewal, with texts replaced.
    fileprivate static func page(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.pages, code, title, changes, suggests: suggestion, alongside: consequences)
    }
}

extension BrokenSpecs {
    /// A login page that ends at an address, with texts replaced.
    private static func browser(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.browser, code, title, changes, suggests: suggestion, alongside: consequences)
    }

    static let endingPages: [BrokenSpec] = [
        browser(
            .misplacedKey, "a page that leaves cookies, of a credential without",
            ["cookies: private": "fields: { key: { type: secret, summary: A., from: \"{key}\" } }", "ends-at:": "«ends-at»:"],
            alongside: [.missingKey]),
        browser(
            .notExactlyOne, "a page with two ends",
            ["ends-at:": "until: { redirect: \"{done}\", verify: { state: a } }\n      «ends-at»:"]),
        browser(
            .notExactlyOne, "a page without an end",
            ["      ends-at: \"{done}\"\n      match: path\n": "", "- present:": "- «present»:"]),
        browser(
            .finishAtPage, "a page that is its own end", ["ends-at: \"{done}\"": "ends-at: \"«{login}»\""],
            alongside: [.unusedParameter]),
        browser(.unknownWord, "an address that is compared in no known way", ["match: path": "match: «paths»"], suggests: "path"),
        browser(.misplacedKey, "a query beside no redirect", ["match: path": "match: path\n      «query»: { a: b }"]),
        browser(.wrongType, "an end that is no address", ["ends-at: \"{done}\"": "ends-at: \"«{key}»\""]),
        browser(.unknownReference, "an end that there is not", ["ends-at: \"{done}\"": "ends-at: \"{«dome»}\""], suggests: "done"),
    ]
}

extension BrokenSpecs {
    /// The valid page with a pushed request, described by the given text.
    private static func push(
        _ code: DiagnosticCode, _ title: String, _ push: String, key: String = "push", says message: String? = nil
    ) -> BrokenSpec {
        .changed(
            ValidSpec.pages, code, title, ["      pkce: \"{verifier}\"\n": "      pkce: \"{verifier}\"\n      \(key): \(push)\n"],
            says: message)
    }

    static let pushes: [BrokenSpec] = [
        push(.missingKey, "a push without a client", "{ to: \"{endpoint}\" }", key: "«push»"),
        push(.missingKey, "a push to nowhere", "{ client: { id: \"{client}\" } }", key: "«push»"),
        push(.wrongType, "a push to a text", "{ to: \"«{client}»\", client: { id: \"{client}\" } }"),
        push(
            .exposedSecret, "a secret as the client that the page names",
            "{ to: \"{endpoint}\", client: { id: \"{«secret?»}\" } }"),
        push(
            .unknownKey, "a push with a form", "{ to: \"{endpoint}\", «form»: { a: b }, client: { id: \"{client}\" } }"),
        push(
            .unknownKey, "a push with a password beside its proof",
            "{ to: \"{endpoint}\", client: { id: \"{client}\" }, sign: { dpop: { key: \"{secret?}\" }, «basic»: {} } }"),
        push(
            .literalSecret, "a proof with a key for all to see",
            "{ to: \"{endpoint}\", client: { id: \"{client}\" }, sign: { dpop: { key: \"«{client}»\" } } }"),
        push(
            .unknownWord, "an algorithm that RSA keys do not have",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", key: \"{secret?}\", audience: \"{page}\", rsa-algorithm: «EdDSA» } }"
        ),
        push(
            .misplacedKey, "an algorithm of no key",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", «rsa-algorithm»: PS256 } }",
            says: "'rsa-algorithm' is only valid with 'key'"),
        push(
            .missingKey, "an assertion for every server",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", «key»: \"{secret?}\" } }",
            says: "an assertion without an audience could be used at another server; add 'audience'"),
        push(
            .literalSecret, "a private key for all to see",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", key: \"«{client}»\", audience: \"{page}\" } }"),
        push(
            .literalSecret, "a private key in the spec",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", key: «PEM», audience: \"{page}\" } }"),
        push(
            .optionalReference, "an assertion for a server that may be absent",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", key: \"{secret?}\", audience: \"{«issuer?»}\" } }"),
        push(
            .misplacedKey, "a name of no key",
            "{ to: \"{endpoint}\", client: { id: \"{client}\", «key-id»: \"1\" } }",
            says: "'key-id' is only valid with 'key'"),
        .changed(
            ValidSpec.pages, .duplicateName, "an assertion beside a key",
            [
                "client: { id: \"{client}\", secret: \"{secret?}\" }\n      form: { code: \"{code}\",":
                    "client: { id: \"{client}\", key: \"{secret?}\", audience: \"{page}\" }\n      form: { «client_assertion»: a, code: \"{code}\","
            ]),
        browser(
            .misplacedKey, "a push of a page without a query",
            ["match: path": "match: path\n      «push»: { to: \"{login}\", client: { id: \"{key}\" } }"]),
    ]
}

extension BrokenSpecs {
    /// The valid page with the given lines.
    private static func form(
        _ code: DiagnosticCode, _ title: String, _ lines: String, says message: String? = nil
    ) -> BrokenSpec {
        .changed(
            ValidSpec.pages, code, title, ["      pkce: \"{verifier}\"\n": "      pkce: \"{verifier}\"\n      \(lines)\n"],
            says: message)
    }

    static let postedForms: [BrokenSpec] = [
        form(
            .exposedSecret, "a form in the browser with a secret of the application", "form: { key: \"{«secret?»}\" }",
            says: "'secret' is a secret of the application, and the user's browser would show it; send it with 'http'"),
        .changed(
            ValidSpec.pages, .exposedSecret, "a form in the browser with a value that contains a secret of the application",
            [
                "  - generate: { state: random,":
                    "  - compute: { first: { join: [\"{client}\", \"{secret?}\"], as: base64 }, «hidden»: { value: \"{first}\" } }\n  - generate: { state: random,",
                "      pkce: \"{verifier}\"\n": "      pkce: \"{verifier}\"\n      form: { key: \"{hidden}\" }\n",
            ],
            says:
                "'hidden' contains 'secret', a secret of the application, and the user's browser would show it in the 'form' of a page; send it with 'http'"
        ),
        form(
            .misplacedKey, "a form of a page that is pushed",
            "«form»: { a: b }\n      push: { to: \"{endpoint}\", client: { id: \"{client}\" } }"),
        form(
            .misplacedKey, "a form of a page with another in its place",
            "«form»: { a: b }\n      instead: [{ open: \"{endpoint}\", only-in: embedded-web-view }]"),
        form(
            .duplicateName, "a parameter in the query and in the form", "form: { «state»: a }",
            says: "the form has the query, too, which already sets 'state'"),
        form(.duplicateName, "a code challenge in the form beside the proof key", "form: { «code_challenge»: a }"),
        browser(.misplacedKey, "a form beside no redirect", ["match: path": "match: path\n      «form»: { a: b }"]),
    ]
}

extension BrokenSpecs {
    static let pages: [BrokenSpec] = [
        .page(.unknownWord, "a value that is generated in no known way", ["verifier: pkce": "verifier: «plain»"]),
        .page(
            .filledTwice, "a field of the credential that is generated",
            ["state: random,": "«refresh»: random, state: random,"], alongside: [.filledTwice]),
        .page(.filledTwice, "a parameter that is generated", ["state: random,": "«client»: random, state: random,"]),
        .page(.unusedCapture, "a generated value of no use", ["state: random,": "«nonce»: random, state: random,"]),
        .page(
            .proofKeyMethod, "a code verifier that no request sends",
            ["verifier: pkce": "«verifier»: pkce", "code_verifier: \"{verifier}\", ": ""]),
        .page(
            .proofKeyMethod, "a code verifier that the page has no hash of",
            ["verifier: pkce": "«verifier»: pkce", "      pkce: \"{verifier}\"\n": ""]),
        .page(.wrongType, "a proof key that is no code verifier", ["pkce: \"{verifier}\"": "pkce: \"{«state»}\""]),
        .page(.wrongType, "a proof key with more than the code verifier", ["pkce: \"{verifier}\"": "pkce: \"«{verifier}x»\""]),
        .page(
            .exposedSecret, "a code verifier for all to see",
            ["client_id: \"{client}\", scope": "client_id: \"{client}\", v: \"{«verifier»}\", scope"]),
        .page(
            .duplicateName, "a code challenge beside the proof key",
            ["client_id: \"{client}\", scope": "client_id: \"{client}\", «code_challenge»: x, scope"]),
        .page(.exposedSecret, "a secret in the page's address", ["client_id: \"{client}\", scope": "key: \"{«secret?»}\", scope"]),
        .page(
            .unknownKey, "a page without an end", ["      until:\n": "      «untils»:\n"], suggests: "until"),
        .page(
            .wrongType, "a way back that is no address",
            ["redirect: \"{redirect}\"\n        verify": "redirect: \"{«client»}\"\n        verify"]),
        .page(
            .wrongType, "a way back with a path",
            ["redirect: \"{redirect}\"\n        verify": "redirect: \"«{redirect}/callback»\"\n        verify"]),
        .page(
            .unverifiedRedirect, "an answer that is not bound to the login",
            ["verify: { state: \"{state}\", iss: \"{issuer?}\" }": "«verify»: { iss: \"{issuer?}\" }"]),
        .page(
            .unverifiedRedirect, "a state that the page is not told",
            [", state: \"{state}\" }\n      pkce": " }\n      pkce", "verify: { state": "«verify»: { state"]),
        .page(.wrongType, "a page at a text", ["open: \"{page}\"": "open: \"«{client}»\""]),
        .page(
            .missingKey, "an answer of a page that is every one",
            ["{ query: { error: present }, error: server }": "«{» error: server }"],
            alongside: [.unreachableStep]),
        .page(
            .unknownKey, "an answer of a page with a status",
            ["{ query: { error: present }, error: server }": "{ «status»: 200, query: { error: present }, error: server }"]),
        .page(
            .unknownKey, "an answer of a request with a query",
            ["- { status: 400, error: server }": "- { «query»: { a: b }, error: server }"]),
        .page(
            .unreachableStep, "an answer of a page behind one that fits all it fits",
            [
                "- { query: { code: present }, capture":
                    "- { query: { code: present }, error: server }\n        - { «query»: { code: present }, capture"
            ]),
        .page(
            .neverSucceeds, "a page that leads nowhere",
            [
                "      answers:\n        - { query: { error": "      «answers»:\n        - { query: { error",
                "{ query: { code: present }, capture: { code: { query: code, type: secret } } }":
                    "{ query: { code: present }, error: server }",
            ],
            alongside: [.unknownReference]),
        .page(
            .misplacedKey, "a client beside no form",
            [
                "form: { grant_type: refresh_token, refresh_token: \"{credential.refresh}\" }":
                    "json: { refresh_token: \"{credential.refresh}\" }",
                "      client: { id: \"{client}\", secret: \"{secret?}\" }\n      json":
                    "      «client»: { id: \"{client}\", secret: \"{secret?}\" }\n      json",
            ]),
        .page(
            .literalSecret, "a client's secret in the spec",
            ["secret: \"{secret?}\" }\n      form: { code": "secret: «hunter2» }\n      form: { code"]),
        .page(
            .duplicateName, "a client that the form calls something else",
            ["form: { code: \"{code}\",": "form: { «client_id»: \"{code}\", code: \"{code}\","]),
        .page(
            .notExactlyOne, "a client that proves itself twice",
            [
                "      form: { code":
                    "      «sign»: { basic: { user: \"{client}\", password: \"{secret?}\" } }\n      form: { code"
            ]),

        .page(
            .unknownWord, "a client that proves itself in no known way",
            [
                "secret: \"{secret?}\" }\n      form: { code":
                    "secret: \"{secret?}\", authentication: «private_key_jwt» }\n      form: { code"
            ]),
        .page(
            .optionalReference, "a client that may prove itself in no way",
            [
                "secret: \"{secret?}\" }\n      form: { code":
                    "secret: \"{secret?}\", authentication: \"{«issuer?»}\" }\n      form: { code"
            ]),

        // MARK: Renewal

        .page(
            .misplacedKey, "a renewal that asks",
            ["renew:\n": "renew:\n  - «prompt»: { fields: { hint: { type: string, summary: S } } }\n"]),
        .page(
            .unknownReference, "a renewal that names a challenge",
            [
                "refresh_token: \"{credential.refresh}\" }":
                    "refresh_token: \"{credential.refresh}\", scope: \"{«challenge.scope?»}\" }"
            ]),
        .page(
            .neverRenews, "a renewal that never sends what renews",
            ["renew:\n": "«renew»:\n", "refresh_token: \"{credential.refresh}\" }": "scope: all }"], alongside: [.unattachedField]),
        .page(
            .neverRenews, "a renewal that brings nothing",
            ["renew:\n": "«renew»:\n", "{ status: 200, capture: *tokens }": "{ status: 200 }"]),
        .page(
            .unreachableStep, "a renewal that nothing leads to",
            [
                "renew:\n": "«renew»:\n", "then: [renew, acquire]": "then: [acquire]",
                "  expires: { after: \"{credential.lifetime?}\" }\n": "",
            ]),
        .page(
            .unknownReference, "a rule with no renewal",
            [
                "renew:\n": "end:\n", "[renew, acquire]": "[«renew», acquire]",
                "- { status: 200, capture: *tokens }": "- { status: 200 }",
                "refresh_token: \"{credential.refresh}\" }": "refresh_token: \"{credential.refresh?}\" }",
            ]),
        .page(
            .neverRenews, "a renewal that goes on for ever",
            ["renew:\n": "«renew»:\n", "        - { status: 400, error: server }\n": ""]),
        .page(
            .unverifiedRedirect, "a state with what may be absent",
            [
                "state: \"{state}\" }\n      pkce": "state: \"{state}{issuer?}\" }\n      pkce",
                "verify: { state: \"{state}\", iss": "«verify»: { state: \"{state}{issuer?}\", iss",
            ]),
        .page(
            .unverifiedRedirect, "a state under another name",
            [", state: \"{state}\" }\n      pkce": ", nonce: \"{state}\" }\n      pkce", "verify: { state": "«verify»: { state"]),
        .page(
            .unverifiedRedirect, "a state under another name in a URL",
            [
                ", state: \"{state}\" }\n      pkce": ", back: \"{redirect}?mystate={state}\" }\n      pkce",
                "verify: { state": "«verify»: { state",
            ]),
        .page(.notExactlyOne, "a rule in the wrong order", ["[renew, acquire]": "[acquire, «renew»]"]),
        .page(
            .unknownReference, "a renewal that names what a login has found out",
            ["refresh_token: \"{credential.refresh}\" }": "refresh_token: \"{credential.refresh}\", ticket: \"{«ticket»}\" }"]),
        .page(
            .unfilledField, "a renewal that names what only a login had",
            ["refresh_token: \"{credential.refresh}\" }": "refresh_token: \"{credential.refresh}\", code: \"{«code»}\" }"]),
    ]
}
