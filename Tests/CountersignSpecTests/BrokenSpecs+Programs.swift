import CountersignSpec

extension BrokenSpec {
    /// The valid method of the surface `core` with a text replaced.
    fileprivate static func program(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.program, code, title, [old: new], suggests: suggestion, alongside: consequences)
    }

    /// A method of the surface `core` with texts replaced.
    static func changed(
        _ spec: String, _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>,
        suggests suggestion: String? = nil, says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        let program = changes.reduce(spec) { $0.changing($1.key, to: $1.value) }
        return BrokenSpec(
            code, title, SpecSources(program: program), suggests: suggestion, says: message, alongside: consequences)
    }

    /// The method that sends back a value of the challenge, with a text replaced.
    fileprivate static func echo(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.echo, code, title, [old: new], suggests: suggestion, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let programs =
        programFiles + programParameters + programChallenges + programReferences + programCredentials + programSteps
        + programPlacements + programRejections

    private static let programFiles: [BrokenSpec] = [
        .program(.unsupportedVersion, "a later version", "countersign: 2", "countersign: «3»", suggests: "2"),
        BrokenSpec(
            .unsupportedVersion, "a method of version 1 in a landscape that is read",
            SpecSources(program: "countersign: «1»\nmethod: Web\ncredential: basic\n"), suggests: "2"),
        .program(.unknownKey, "a key of version 1", "acquire:", "«flow»: { busy: busy }\nacquire:"),
        .program(.unknownKey, "a slip", "rejected:", "«rejectd»:", suggests: "rejected"),
        .program(
            .reservedName, "a method whose types would hide those of the runtime", "method: Web", "method: «Program»",
            alongside: [.reservedName, .reservedName]),
        BrokenSpec(
            .collidingTypeName, "a method with the name of the landscape's type",
            SpecSources(
                core: ValidSpec.coreLandscape.changing("Testing", to: "WebObserver"),
                program: ValidSpec.echo.changing("method: Web", to: "method: «Web»"))),
        BrokenSpec(
            .collidingTypeName, "a method whose credential has the name of the landscape's type",
            SpecSources(
                core: ValidSpec.coreLandscape.changing("Testing", to: "WebCredential"),
                program: ValidSpec.echo.changing("method: Web", to: "method: «Web»"))),
    ]

    private static let programParameters: [BrokenSpec] = [
        .program(.secretDefault, "a secret with a default", "key: { type: secret,", "key: { type: secret, «default»: hunter2,"),
        .program(
            .misplacedKey, "origins with a default", "servers: { type: origins,",
            "servers: { type: origins, «default»: \"https://a.example\","),
        .program(
            .misplacedKey, "origins that can be absent", "servers: { type: origins,", "servers: { type: origins, «optional»: true,",
            alongside: [.optionalReference]),
        .program(
            .optionalDefault, "a parameter with both", "optional: true, summary: The tenant",
            "optional: true, «default»: a, summary: The tenant"),
        .program(.unknownWord, "a type that there is not", "area: { type: string", "area: { type: «integer»"),
        .program(
            .insecureURL, "a URL in the clear", "area: { type: string, default: all",
            "area: { type: url, default: \"«http://a.example/»\"",
            suggests: "https://a.example/"),
        .program(
            .invalidValue, "an example that is no origin", "servers: { type: origins,",
            "servers: { type: origins, example: «server»,"),
        .program(
            .reservedName, "a parameter with a name of Swift", "tenant: {",
            "«self»: { type: string, summary: A text. }\n  tenant: {"),
        .program(
            .reservedName, "a parameter with a name of Hashable", "area: {",
            "«hashValue»: { type: string, summary: A text. }\n  area: {"),
        .program(
            .misplacedKey, "a secret that is not to identify", "key: { type: secret,", "key: { type: secret, «identifies»: false,"),
        .program(
            .identifyingParameter, "recipients that do not identify", "servers: { type: origins,",
            "«servers»: { type: origins, identifies: false,"),
        .program(
            .identifyingParameter, "a value that separates credentials, and does not identify them", "tenant: { type: string,",
            "«tenant»: { type: string, identifies: false,"),
        .changed(
            ValidSpec.program, .identifyingParameter, "a part of requests that does not identify",
            ["area: { type: string,": "«area»: { type: string, identifies: false,", "X-Key: \"{key}\"": "X-Key: \"{key}{area}\""]),
        .changed(
            ValidSpec.assertion, .identifyingParameter, "a claim of the token for a login that does not identify",
            ["scopes: { type: string, optional: true,": "«scopes»: { type: string, optional: true, identifies: false,"]),
        .changed(
            ValidSpec.calls, .identifyingParameter, "a user's name in a form that does not identify",
            ["area: { type: string,": "«area»: { type: string, identifies: false,", "form: { area:": "form: { User_Name:"],
            says:
                "'area' identifies the credential, because it is the user's name, as 'User_Name' of a request by which it is obtained; "
                + "remove 'identifies: false'"),
        .changed(
            ValidSpec.calls, .identifyingParameter, "a user's name in JSON that does not identify",
            [
                "area: { type: string,": "«area»: { type: string, identifies: false,",
                "form: { area: \"{area}\" }": "json: { auth: [{ user: { name: \"{area}\", domain: { name: all } } }] }",
            ]),
        .changed(
            ValidSpec.calls, .identifyingParameter, "a user's name in a query that does not identify",
            [
                "area: { type: string,": "«area»: { type: string, identifies: false,",
                "query: { scope:": "query: { username: \"{area}\", scope:",
            ]),
        .program(
            .unusedParameter, "a parameter that nothing uses", "area: {", "«other»: { type: string, summary: A text. }\n  area: {"),
    ]

    private static let programChallenges: [BrokenSpec] = [
        .echo(
            .matchesEverything, "a challenge that is every response", "name: conflict\n    status: 409\n", "«name»: conflict\n"),
        .echo(
            .matchesEverything, "a challenge that only requires what most responses lack", "name: conflict\n    status: 409\n",
            "name: conflict\n    «headers»: { X-Other: absent }\n"),
        .program(
            .notExactlyOne, "a scheme in a field that must be absent", "\"{area}\" }\n    www-authenticate: Basic",
            "\"{area}\", WWW-Authenticate: absent }\n    «www-authenticate»: Basic"),
        .changed(
            ValidSpec.program, .notExactlyOne, "a capture of a field that must be absent",
            [
                "X-Area: \"{area}\" }": "X-Area: \"{area}\", x-nonce: absent }",
                "nonce: { header: X-Nonce }\n  - name": "«nonce»: { header: X-Nonce }\n  - name",
            ], says: "'nonce' is the value of a part that must be absent; remove the capture or the condition"),
        .changed(
            ValidSpec.program, .notExactlyOne, "a capture of a parameter that must be absent",
            [
                "www-authenticate: Basic": "www-authenticate: { scheme: Basic, parameters: { Realm: absent } }",
                "realm: { parameter": "«realm»: { parameter",
            ]),
        .program(
            .notExactlyOne, "a capture within a value that must be absent",
            "status: [403, 419]\n    capture:\n      nonce: { header: X-Nonce }",
            "status: [403, 419]\n    json: { /a: absent }\n    capture:\n      «nonce»: { json: [/a/b, /a] }"),
        .changed(
            ValidSpec.program, .misplacedKey, "a scheme without a status",
            ["    status: 401\n": "", "www-authenticate": "«www-authenticate»"]),
        .echo(
            .misplacedKey, "a parameter of no scheme", "{ header: X-Id } }\n  - name: expired",
            "{ «parameter»: id } }\n  - name: expired"),
        .program(
            .notExactlyOne, "a capture of two", "{ header: X-Nonce }\n  - name", "{ header: X-Nonce, «parameter»: nonce }\n  - name"
        ),
        .program(
            .optionalDefault, "a capture with a default that is optional", "realm, default", "realm, optional: true, «default»"),
        .program(.duplicateName, "two challenges of one name", "name: stale", "name: «login»", alongside: [.unknownReference]),
        .program(
            .duplicateName, "a header twice", "X-Area: \"{area}\" }", "X-Area: \"{area}\", «x-area»: present }"),
        .program(.duplicateName, "a status twice", "[403, 419]", "[403, «403»]"),
        .program(.invalidValue, "a header that is no name", "X-Area:", "«X Area»:"),
        .program(.invalidValue, "a status that is none", "status: 401", "status: «99»"),
        .program(.unknownKey, "a match that there is not", "X-Area: \"{area}\"", "X-Area: { «suffix»: \"{area}\" }"),
        .program(.notExactlyOne, "two matches", "X-Area: \"{area}\"", "X-Area: { prefix: a, «contains»: \"{area}\" }"),
        .program(.exposedSecret, "a secret that a challenge is compared with", "\"{area}\"", "\"{area}{«key»}\""),
        .program(.wrongType, "origins that a challenge is compared with", "\"{area}\"", "\"{area}{«servers»}\""),
        .program(.optionalReference, "a challenge that is compared with nothing", "\"{area}\"", "\"{area}{«tenant?»}\""),
        .program(.unknownReference, "what a challenge says, in a challenge", "\"{area}\"", "\"{area}{«challenge.nonce»}\""),
        .program(.invalidValue, "a line break in a header", "\"{area}\"", "«\"{area}\\n\"»"),
        .program(.malformedTemplate, "a reference without quotes", "\"{area}\"", "«{»area}"),
        .echo(
            .unusedCapture, "a capture that nothing uses", "capture: { id: { header: X-Id } }\n  - name: expired",
            "capture: { id: { header: X-Id }, «age»: { header: Age } }\n  - name: expired"),
    ]

    private static let programReferences: [BrokenSpec] = [
        .program(
            .optionalReference, "a value that one challenge does not capture", "{challenge.realm?}", "{«challenge.realm»}",
            suggests: "challenge.realm?"),
        .changed(
            ValidSpec.echo, .optionalReference, "a value that is optional",
            [
                "id: { header: X-Id }": "id: { header: X-Id, optional: true }", "{challenge.id}": "{«challenge.id»}",
                "{credential.id}": "{credential.id?}",
            ],
            suggests: "challenge.id?"),
        .program(.optionalReference, "a parameter that can be absent", "{tenant?}", "{«tenant»}", suggests: "tenant?"),
        .program(
            .needlessMark, "a mark on what every challenge brings", "from: \"{challenge.nonce}\"", "from: \"{«challenge.nonce?»}\"",
            suggests: "challenge.nonce"),
        .program(.needlessMark, "a mark on a parameter", "\"{area}\"", "\"{«area?»}\"", suggests: "area"),
        .program(
            .needlessMark, "a mark on the request", "{request.url.origin}", "{«request.url.origin?»}",
            suggests: "request.url.origin"),
        .changed(
            ValidSpec.program, .optionalReference, "a field that is filled with what may be absent",
            ["\"{challenge.nonce}\"": "\"{challenge.realm?}\"", "{credential.nonce}": "{«credential.nonce»}"],
            suggests: "credential.nonce?"),
        .program(
            .unknownReference, "a slip in a capture", "{challenge.nonce}", "{«challenge.nonc»}", suggests: "challenge.nonce"),
        .program(.unknownReference, "a slip in a parameter", "{tenant?}", "{«tenat»?}", suggests: "tenant"),
        .program(.unknownReference, "a slip in a field", "{credential.user}", "{«credential.usr»}", suggests: "credential.user"),
        .program(
            .unknownReference, "another part of the request", "{request.url.origin}", "{«request.url.path»}",
            suggests: "request.url.origin"),
        .program(.unknownReference, "the request in a header", "\"{key}\"", "\"{key}{«request.url.origin»}\""),
        .program(.unknownReference, "what a challenge says, in a header", "\"{key}\"", "\"{key}{«challenge.nonce»}\""),
        .program(
            .unknownReference, "the credential in itself", "\"{challenge.nonce}\"", "\"{challenge.nonce}{«credential.user»}\""),
        .program(.malformedTemplate, "an expression", "\"{key}\"", "\"«{key + 1}»\""),
        .program(.malformedTemplate, "a doubled reference", "\"{tenant?}\"", "\"«{{tenant?}}»\""),
        .program(
            .malformedTemplate, "a reference to the request without quotes", "per: [\"{request.url.origin}\"",
            "per: [«{»request.url.origin}"),
    ]

    private static let programCredentials: [BrokenSpec] = [
        .program(.literalSecret, "a literal for a secret", "from: \"{challenge.nonce}\"", "from: «hunter2»"),
        .program(.literalSecret, "a literal password", "password: \"{credential.password}\" } }", "password: «hunter2» } }"),
        .program(
            .exposedSecret, "a secret in a field that is none",
            "nonce: { type: secret, summary: The nonce., from: \"{challenge.nonce}\"",
            "nonce: { type: string, summary: The nonce., from: \"{challenge.nonce}{«key»}\""),
        .program(.exposedSecret, "a secret that credentials are kept apart by", "\"{tenant?}\"", "\"{tenant?}\", \"{«key»}\""),
        .program(.wrongType, "origins as text", "\"{tenant?}\"", "\"{tenant?}\", \"{«servers»}\""),
        .program(
            .spaceWithoutChallenge, "directories that have nothing apart",
            "\"{challenge.realm?}\", \"{tenant?}\"]\n  space: directory", "\"{tenant?}\"]\n  space: «directory»"),
        .echo(.spaceWithoutChallenge, "directories without 'per'", "  for:", "  space: «directory»\n  for:"),
        .program(.wrongType, "a text that says where to", "for: [\"{servers}\"]", "for: [\"{servers}\", \"{«area»}\"]"),
        .program(
            .wrongType, "an address that says where to", "for: [\"{servers}\"]", "for: [\"{servers}\", \"«https://a.example»\"]"),
        .program(.wrongType, "two references at once", "for: [\"{servers}\"]", "for: [\"{servers}\", \"«{servers}{servers}»\"]"),
        .program(
            .unknownReference, "a server that says where to", "for: [\"{servers}\"]",
            "for: [\"{servers}\", \"{«challenge.nonce»}\"]"),
        .changed(
            ValidSpec.program, .missingKey, "a credential that may go nowhere",
            ["credential:\n": "«credential»:\n", "  for: [\"{servers}\"]\n": ""]),
        .program(.emptyCollection, "a list of no servers", "for: [\"{servers}\"]", "for: «[»]"),
        .program(.unknownWord, "an unknown space", "space: directory", "space: «everywhere»"),
        .program(
            .unknownWord, "a field of another type", "user: { type: string, summary: The user name. }\n    password",
            "user: { type: «origins», summary: The user name. }\n    password"),
        .program(
            .reservedName, "a field with a name of Swift", "fields:\n    user:",
            "fields:\n    «init»: { type: string, from: \"{area}\", summary: A text. }\n    user:"),
        .program(
            .reservedName, "a field with the name of the expiry date", "fields:\n    user:",
            "fields:\n    «expirationDate»: { type: string, from: \"{area}\", summary: A text. }\n    user:"),
        .changed(
            ValidSpec.program, .unattachedField, "a field that is in no request",
            ["      X-Nonce: \"{credential.nonce}\"\n": "", "    nonce: { type": "    «nonce»: { type"]),
    ]

    private static let programSteps: [BrokenSpec] = [
        .program(
            .unfilledField, "a field that nothing fills", "    user: {",
            "    «realm»: { type: string, summary: A realm. }\n    user: {"),
        .echo(
            .unfilledField, "a method without steps whose field has no 'from'", "id: { type: secret, from: \"{challenge.id}\",",
            "«id»: { type: secret,", alongside: [.nothingToResend, .nothingToResend]),
        .program(
            .unknownField, "a prompt for what is no field", "        password: { type: secret", "        «pasword»: { type: secret",
            suggests: "password"),
        .program(
            .filledTwice, "a prompt for what 'from' fills", "        password: { type: secret",
            "        «nonce»: { type: secret, summary: A nonce. }\n        password: { type: secret"),
        .program(
            .filledTwice, "a field that is asked for twice", "attach:",
            "  - prompt: { fields: { «user»: { type: string, summary: Again. } } }\nattach:"),
        .program(
            .wrongType, "a prompt of another type", "        password: { type: secret", "        password: { type: «string»",
            suggests: "secret"),
        .program(
            .notExactlyOne, "a step of no kind",
            "  - prompt:\n      fields:\n        user: { type: string, summary: The user name. }\n        password: { type: secret, summary: The password. }\n",
            "  - «{»}\n"),
        .program(
            .unknownKey, "a step of a later slice", "attach:",
            "  - prompt: { fields: { user: { type: string, summary: U. } } }\n    «use»: x\nattach:", alongside: [.filledTwice]),
    ]

    private static let programPlacements: [BrokenSpec] = [
        .program(
            .signatureWithoutChallenge, "Digest without a challenge of its scheme", "sign: { basic: {", "sign: { «digest»: {",
            alongside: [.signatureWithoutChallenge]),
        .program(.invalidValue, "a header that is no name", "X-Key:", "«X Key»:"),
        .program(.connectionHeader, "the host", "X-Key:", "«Host»:"),
        .program(.connectionHeader, "the length", "X-Key:", "«content-length»:"),
        .program(.connectionHeader, "a field for proxies", "X-Key:", "«Proxy-Authorization»:"),
        .program(.duplicateName, "a header twice", "X-Nonce: \"{cred", "«x-key»: \"{cred"),
        .program(.duplicateName, "a header that the signature writes", "X-Key:", "«Authorization»:"),
        .program(.wrongType, "origins in a header", "\"{key}\"", "\"{key}{«servers»}\""),
        .program(
            .notExactlyOne, "two signatures", "rejected:",
            "  - «sign»: { basic: { user: \"{credential.user}\", password: \"{credential.password}\" } }\nrejected:"),
        .program(.notExactlyOne, "an attachment of two kinds", "  - sign:", "    «sign»:"),
        .program(
            .notExactlyOne, "a query beside a signature in one item", "  - sign:",
            "  - query: { key: \"{key}\" }\n    «sign»:"),
        .changed(
            ValidSpec.program, .notExactlyOne, "header fields and a query beside a signature in one item",
            [
                "password: \"{credential.password}\" } }":
                    "password: \"{credential.password}\" } }\n    «headers»: { X-User: a }\n    query: { key: \"{key}\" }"
            ],
            says:
                "an attachment has only one of 'headers', 'query', 'json', 'form', 'sign', 'identity'; 'headers', 'query' and either 'json' or 'form' are allowed together"
        ),
        .changed(
            ValidSpec.program, .unknownReference, "a field of the credential as the name of a query parameter",
            ["  - sign:": "  - query: { \"{«credential.user»}\": a }\n  - sign:"],
            says: "'{credential.user}' cannot be used here; a name can only refer to parameters"),
        .changed(
            ValidSpec.program, .wrongType, "a secret of the credential as the name of a header field",
            ["X-Key:": "\"{«credential.password»}\":"],
            says:
                "the name of a header field must be a token, or a whole reference to a parameter of type 'header', or to a field of the credential of type 'string'"
        ),
        .changed(
            ValidSpec.program, .wrongType, "a parameter of another type as the name of a header field",
            ["X-Key:": "\"{«area»}\":"]),
        .changed(
            ValidSpec.program, .unknownReference, "a value of a challenge as the name of a header field",
            ["X-Key:": "\"{«challenge.realm»}\":"],
            says: "'{challenge.realm}' cannot be used here; a name can only refer to parameters and to fields of the credential"),
        .changed(
            ValidSpec.program, .unknownReference, "a field that the credential does not have as the name of a header field",
            ["X-Key:": "\"{«credential.usr»}\":"], suggests: "credential.user"),
        .changed(
            ValidSpec.program, .duplicateName, "a query parameter twice",
            ["  - sign:": "  - query: { key: \"{key}\" }\n  - query: { «key»: \"{key}\" }\n  - sign:"],
            says: "the query parameter 'key' is already attached"),
        .program(.emptyCollection, "a query without parameters", "  - sign:", "  - query: «{»}\n  - sign:"),
        .program(
            .exposedSecret, "a secret as the name of a query parameter", "  - sign:",
            "  - query: { \"{«key»}\": \"{credential.user}\" }\n  - sign:"),
        .program(
            .optionalReference, "a query parameter whose name may be absent", "  - sign:",
            "  - query: { \"{«tenant»}\": \"{key}\" }\n  - sign:"),
        .program(
            .optionalReference, "a query parameter whose value may be absent, without a mark", "  - sign:",
            "  - query: { tenant: \"{«tenant»}\" }\n  - sign:", suggests: "tenant?"),
        .program(
            .unknownReference, "a value of a challenge in the query", "  - sign:",
            "  - query: { nonce: \"{«challenge.nonce»}\" }\n  - sign:"),
        .changed(
            ValidSpec.program, .notExactlyOne, "a JSON object and a form in one body",
            ["  - sign:": "  - json: { key: \"{key}\" }\n  - «form»: { other: \"{key}\" }\n  - sign:"],
            says: "a body is a JSON object or a form; remove 'json' or 'form'"),
        .changed(
            ValidSpec.program, .notExactlyOne, "a JSON object and a form in one item",
            ["  - sign:": "  - json: { key: \"{key}\" }\n    «form»: { other: \"{key}\" }\n  - sign:"],
            says: "a body is a JSON object or a form; remove 'json' or 'form'"),
        .changed(
            ValidSpec.program, .unknownReference, "a field of the credential as the name of a member of the body",
            ["  - sign:": "  - json: { \"{«credential.user»}\": a }\n  - sign:"],
            says: "'{credential.user}' cannot be used here; a name can only refer to parameters"),
        .changed(
            ValidSpec.program, .unknownReference, "a field of the credential in the name of an inner member of the body",
            ["  - sign:": "  - json: { a: [{ \"to {«credential.user»}\": b }] }\n  - sign:"],
            says: "'{credential.user}' cannot be used here; a name can only refer to parameters"),
        .program(
            .optionalReference, "a member of the body whose name may be absent", "  - sign:",
            "  - json: { a: { \"{«tenant?»}\": b } }\n  - sign:"),
        .program(
            .exposedSecret, "a secret as the name of a member of the body", "  - sign:",
            "  - json: { \"{«key»}\": a }\n  - sign:"),
        .changed(
            ValidSpec.program, .duplicateName, "a member of the body twice",
            ["  - sign:": "  - json: { key: \"{key}\" }\n  - json: { «key»: \"{key}\" }\n  - sign:"],
            says: "the member 'key' is already attached"),
        .program(.emptyCollection, "a body without members", "  - sign:", "  - json: «{»}\n  - sign:"),
        .program(
            .unknownReference, "a value of a challenge in the body", "  - sign:",
            "  - json: { a: { nonce: \"{«challenge.nonce»}\" } }\n  - sign:"),
        .program(
            .optionalReference, "a member of the body whose value may be absent, without a mark", "  - sign:",
            "  - json: { tenant: \"{«tenant»}\" }\n  - sign:", suggests: "tenant?"),
        .program(
            .exposedSecret, "a secret as the name of a form's field", "  - sign:",
            "  - form: { \"{«key»}\": \"{credential.user}\" }\n  - sign:"),
        .changed(
            ValidSpec.program, .misplacedKey, "separate credentials for one request",
            ["  per:": "  «per»:", "space: directory": "space: request"],
            says: "'per' cannot be used with 'space: request', because only one request carries the credential"),
        .changed(
            ValidSpec.program, .misplacedKey, "the end of a credential for one request",
            [
                "  per: [\"{request.url.origin}\", \"{challenge.realm?}\", \"{tenant?}\"]\n  space: directory": "  space: request",
                "attach:": "«end»:\n  - http: { send: \"POST {servers}/end\", answers: [{ status: 200 }] }\nattach:",
            ], says: "'end' cannot be used with 'space: request', because the credential ends with the request",
            alongside: [.wrongType]),
        .program(.wrongType, "origins in the query", "  - sign:", "  - query: { to: \"{«servers»}\" }\n  - sign:"),
        .changed(
            ValidSpec.program, .missingKey, "a signature without a password",
            [", password: \"{credential.password}\" } }": " } }", "basic:": "«basic»:"]),
    ]

    private static let programRejections: [BrokenSpec] = [
        .program(.unknownReference, "a challenge that does not exist", "challenge: stale", "challenge: «stal»", suggests: "stale"),
        .program(
            .unreachableStep, "a rule after one for all", "retry: 2 }\n",
            "retry: 2 }\n  - { challenge: «login», then: [acquire] }\n"),
        .program(.unreachableStep, "two rules for all", "retry: 2 }\n", "retry: 2 }\n  - { «then»: [acquire] }\n"),
        .program(
            .unreachableStep, "two rules for one challenge", "challenge: stale, then: [acquire] }\n",
            "challenge: stale, then: [acquire] }\n  - { challenge: «stale», then: [acquire] }\n"),
        .changed(
            ValidSpec.echo, .nothingToResend, "a challenge that brings nothing new",
            [
                "status: 410\n    capture: { id: { header: X-Id } }": "status: 410", "{challenge.id}": "{challenge.id?}",
                "{credential.id}": "{credential.id?}", "expired, then: [resend]": "expired, then: [«resend»]",
            ]),
        .program(.invalidValue, "too many retries", "retry: 2", "retry: «6»"),
        .program(.unknownWord, "an unknown action", "then: [acquire], retry", "then: [«refresh»], retry"),
        .program(.notExactlyOne, "two actions", "then: [acquire], retry", "then: [acquire, «acquire»], retry"),
        .program(.emptyCollection, "actions that are none", "then: [acquire], retry", "then: «[»], retry"),
        .program(
            .misplacedKey, "retries without an action", "challenge: stale, then: [acquire] }",
            "challenge: stale, «retry»: 1 }"),
        .program(.wrongShape, "an action that is no list", "then: [acquire], retry", "then: «acquire», retry"),
    ]
}
