import CountersignSpec

extension BrokenSpec {
    /// The valid method with a key with a text replaced.
    fileprivate static func key(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(method: ValidSpec.key, code, title, [old: new], suggests: suggestion, says: message, alongside: consequences)
    }

    /// The valid method with a password with a text replaced.
    fileprivate static func password(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, says message: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(method: ValidSpec.password, code, title, [old: new], says: message, alongside: consequences)
    }

    /// The valid method with a certificate with a text replaced.
    fileprivate static func certificate(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            method: ValidSpec.certificate, code, title, [old: new], suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let credentials: [BrokenSpec] = certificates + prompted

    private static let certificates: [BrokenSpec] = [
        .method(
            .misplacedKey, "a refused connection in a web login",
            "challenge:\n", "challenge:\n  - { name: handshake, «tls»: client-certificate }\n",
            says:
                "a refused connection requires a client certificate; give the credential a field of type 'identity', and refer to it with 'identity' under 'attach'"
        ),
        .certificate(
            .misplacedKey, "a status of a refused connection", "tls: client-certificate }",
            "tls: client-certificate, «status»: 495 }",
            says: "a refused connection has no response; remove 'status' or 'tls'"),
        .certificate(
            .misplacedKey, "a capture of a refused connection", "tls: client-certificate }",
            "tls: client-certificate, «capture»: { a: { header: A } } }"),
        .certificate(
            .unknownWord, "a connection that is refused for another reason", "tls: client-certificate", "tls: «client-certificat»",
            suggests: "client-certificate"),
        .certificate(
            .matchesEverything, "a text of any response", "status: 400, text:", "«text»:",
            says: "with only 'text', every response would be searched; add 'status' or 'headers'"),
        .certificate(
            .wrongType, "an identity that is a text", "- identity: \"{credential.identity}\"",
            "- identity: \"{«credential.archive»}\"",
            says:
                "'identity' must be a whole reference to a field of the credential of type 'identity', such as \"{credential.identity}\""
        ),
        .certificate(
            .wrongType, "an identity with a text beside it", "- identity: \"{credential.identity}\"",
            "- identity: \"«x{credential.identity}»\""),
        .certificate(
            .wrongType, "an identity in a header", "rejected:",
            "  - headers: { X-Identity: \"{«credential.identity»}\" }\n\nrejected:",
            says:
                "'credential.identity' has the type 'identity' and is not a text; use it under 'identity' of 'attach', or in 'compute'"
        ),
        .certificate(
            .wrongType, "an identity that a text fills", "    identity: { type: identity, summary",
            "    identity: { type: identity, «from»: \"a\", summary",
            says: "'identity' is an identity and cannot have 'from'; set it with 'prompt' or 'compute'",
            alongside: [.filledTwice]),
        .certificate(
            .wrongType, "a prompt for a text where an identity is meant",
            "        identity: { type: identity,", "        identity: { type: «string»,", suggests: "identity"),
        .certificate(.unknownWord, "a use of a field that there is not", "place: store", "place: «safe»"),
        .certificate(
            .unknownWord, "a parameter that is an identity", "servers: { type: origins,", "servers: { type: «identity»,"),
    ]

    private static let prompted: [BrokenSpec] = [
        .changed(
            method: ValidSpec.key, .missingKey, "a key without a field",
            ["credential:": "«credential»:", "attach:\n  - headers: { X-Key: \"{credential.key}\" }\n": ""],
            says: "no request carries the credential; specify its place with 'attach'"),
        .key(
            .wrongType, "a parameter that is a text", "  isOnly: {",
            "  «area»: { type: string, default: a, summary: A. }\n  isOnly: {",
            says: "an observer of this surface with a 'prompt' can only have members of the types 'origins' and 'boolean'"),
        .key(
            .misplacedKey, "a member that follows from the settings", "isOnly: { type: boolean,",
            "isOnly: { type: boolean, «from»: \"true\",",
            says: "'isOnly' is a member of the observer that the application sets; remove 'from'"),
        .key(
            .misplacedKey, "a member that a configuration gives", "isOnly: { type: boolean,",
            "isOnly: { type: boolean, «configuration»: [isOnly],"),
        .key(
            .misplacedKey, "a member with an example", "isOnly: { type: boolean,", "isOnly: { type: boolean, «example»: true,"),
        .changed(
            method: ValidSpec.method, .missingKey, "no parameters of a method that needs them",
            [
                "method: Web": "«method»: Web", parametersText: "", "\"{headerName}\": required": "A: required",
                "\"{loginURL}\"": "https://a.example/", "\"{doneURL}\"": "https://a.example/done",
            ],
            says: "a method of this surface needs the key 'parameters'"),
        .method(
            .misplacedKey, "a question in a web login", "acquire:\n",
            "acquire:\n  - «prompt»: { fields: { a: { type: string, summary: A. } } }\n",
            says:
                "an observer of this surface cannot prompt for a login with the session's cookies; show a page with 'present'",
            alongside: [.unusedCapture]),
        .changed(
            method: ValidSpec.method, .unfilledField, "a web login without a step",
            ["credential: { cookies:": "credential: { «cookies»:", webStepsText: ""],
            says:
                "no step under 'acquire' obtains cookies; write a page with 'ends-at', or 'cookies: present' in the answer of a request"
        ),
        .changed(
            method: ValidSpec.method, .unfilledField, "a request that leaves no cookies",
            [
                "cookies: shared": "«cookies»: shared",
                "present:\n      open: \"{loginURL}\"\n      ends-at: \"{doneURL}\"\n":
                    "http: { send: \"GET {loginURL}\", answers: [{ status: 200 }] }\n",
                "    failures: { dismissed: cancelled, load: page }\n": "",
            ],
            says:
                "no step under 'acquire' obtains cookies; write a page with 'ends-at', or 'cookies: present' in the answer of a request"
        ),
        .method(
            .misplacedKey, "servers for the session's own cookies", "cookies: shared }", "cookies: shared, «for»: [requested] }",
            says: "'for' cannot be used with 'cookies: shared', because the session sends its cookies by the rules for cookies"),
        .method(
            .misplacedKey, "a field beside the session's own cookies", "cookies: shared }",
            "cookies: shared, «fields»: { a: { type: string, summary: A., from: a } } }"),
        .key(
            .invalidValue, "refusals that are no number", "challenge: no-key, then: [acquire], retry: 1",
            "challenge: no-key, then: [acquire], retry: «stored»"),
        .key(.invalidValue, "a field that is none", "X-Key:", "«X@Key»:"),
        .changed(
            method: ValidSpec.key, .unfilledField, "nobody is asked",
            [
                "    key: { type: secret, summary: The key. }\n  for": "    «key»: { type: secret, summary: The key. }\n  for",
                promptText: "",
            ],
            says: "nothing sets 'key'; add 'from', or set it in a step under 'acquire'"),
        .key(.unknownErrorCase, "a refusal that there is not", "error: needed", "error: «neded»", suggests: "needed"),
        .key(
            .wrongCarriedValues, "a question's failure that carries something", "{ unusable: unusable }",
            "{ cancelled: «unusable» }"),
        .key(
            .unknownWord, "a condition on a boolean as if it were a text", "isOnly: true }", "isOnly: «present» }",
            says: "'isOnly' is a boolean; write 'true' or 'false'"),
        .key(
            .wrongType, "a boolean in a header", "{ X-Key: \"{credential.key}\" }", "{ X-Key: \"{credential.key}{«isOnly?»}\" }",
            says: "'isOnly' has the type 'boolean' and is not a text; use it under 'when'"),
        .key(
            .unknownReference, "a condition on what is no parameter", "isOnly: true }", "«isonly»: true }", suggests: "isOnly",
            says: "there is no parameter 'isonly'"),
        .password(
            .misplacedKey, "a direct run of a question", "errors:\n", "failures: { «busy»: refused }\nerrors:\n",
            says: "'busy' is only valid for methods that have parameters or are started explicitly"),
        .changed(
            method: ValidSpec.password, .missingKey, "a question that nobody answers", ["acquire:": "«acquire»:", swiftText: ""],
            says: "no type answers the prompts; name it with 'prompting' under 'swift'"),
        .password(
            .misplacedKey, "a store of no answers",
            "  prompting:\n    type: BasicCredentialDiscovery\n    label: asking\n    summary: Asks for the password.\n    source: BasicCredentialSource",
            "  «store»: { type: BasicCredentialStoring, label: keeping, summary: Keeps it. }", alongside: [.missingKey]),
        .password(
            .missingKey, "an answer of no type", "  prompting:\n    type: BasicCredentialDiscovery\n", "  «prompting»:\n"),
        .changed(
            method: ValidSpec.password, .misplacedKey, "a credential that no observer is generated for",
            [
                "credential:": "«credential»:",
                "type: string, summary: The name. }\n    password: { type: secret,":
                    "type: string, from: \"a\", summary: The name. }\n    password: { type: secret, from: \"{challenge.realm?}\",",
                passwordPromptText: "",
                "{credential.password}": "{credential.password?}",
            ],
            says:
                "the surface 'foundation' has no observer for this credential, only for 'cookies: shared', 'token: oauth2', and the values of a 'prompt'"
        ),
    ]

    /// Returns the part of a text from one of its lines to the beginning of another.
    private static func part(_ text: String, from start: String, to end: String? = nil) -> String {
        guard let first = text.firstRange(of: start) else { return "" }
        let rest = text[first.lowerBound...]
        return String(end.flatMap { rest.firstRange(of: $0) }.map { rest[..<$0.lowerBound] } ?? rest)
    }

    private static let parametersText = part(ValidSpec.method, from: "parameters:\n", to: "challenge:")
    private static let webStepsText = part(ValidSpec.method, from: "acquire:\n", to: "rejected:")
    private static let promptText = part(ValidSpec.key, from: "acquire:\n", to: "attach:")
    private static let passwordPromptText = part(ValidSpec.password, from: "acquire:\n", to: "attach:")
    private static let swiftText = part(ValidSpec.password, from: "swift:\n")
}
