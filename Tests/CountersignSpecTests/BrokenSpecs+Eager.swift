import CountersignSpec

extension BrokenSpec {
    /// The valid method whose credential is in the first request, with texts replaced.
    fileprivate static func eager(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.eager, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpec {
    /// The valid method with the credential in another field, too, for requests with the given methods.
    fileprivate static func limited(
        _ code: DiagnosticCode, _ title: String, _ methods: String, suggests suggestion: String? = nil, says message: String? = nil
    ) -> BrokenSpec {
        let attached = BrokenSpecs.attached
        let item = "\(attached)\n  - { methods: \(methods), headers: { X-Write-Key: \"{credential.key}\" } }"
        return .changed(ValidSpec.eager, code, title, [attached: item], suggests: suggestion, says: message)
    }
}

extension BrokenSpecs {
    /// The item of the valid method under `attach`.
    fileprivate static let attached = "- headers: { \"{field}\": \"{credential.key}\" }"

    static let eager: [BrokenSpec] = [
        .limited(.unknownWord, "a method in lower case", "[POST, «post»]", suggests: "POST"),
        .limited(.unknownWord, "a method that is none", "[POST, «PSOT»]", suggests: "POST"),
        .limited(.emptyCollection, "a place in no request", "«[»]"),
        .limited(.duplicateName, "a method twice", "[POST, «POST»]", says: "'POST' is listed twice"),
        .limited(.wrongShape, "a method that is not in a list", "«POST»"),
        .eager(
            .misplacedKey, "methods of the body",
            [
                Self.attached:
                    "\(Self.attached)\n  - { json: { token: \"{credential.key}\" }, «methods»: [POST], headers: { X-Now: \"1\" } }"
            ], says: "'methods' is only for header fields and query parameters; write 'json' in an item without it"),
        .eager(
            .misplacedKey, "methods of computed values",
            [
                Self.attached:
                    "\(Self.attached)\n  - { compute: { now: { time: unix } }, «methods»: [POST], headers: { X-Now: \"{now}\" } }"
            ]),
        .eager(
            .misplacedKey, "methods of a signature",
            [
                Self.attached:
                    "- { sign: { basic: { user: \"{field}\", password: \"{credential.key}\" } }, «methods»: [POST] }"
            ]),
        .eager(.invalidValue, "something else than yes or no", ["eager: true": "eager: «always»"]),
        .eager(
            .misplacedKey, "a value of a challenge in the first request",
            ["    status: 401\n": "    status: 401\n    «capture»: { realm: { header: X-Realm } }\n"]),
        .eager(
            .optionalReference, "a step that needs a value of a challenge for a resend",
            [
                "    status: 401\n": "    status: 401\n    capture: { nonce: { header: X-Nonce } }\n",
                "  per:": "    nonce: { type: string, from: \"{challenge.nonce}\", summary: A nonce. }\n  per:",
                "attach:\n":
                    "  - http: { send: \"GET https://a.example/\", headers: { A: \"{«challenge.nonce»}\" }, answers: [{ status: 200 }] }\nattach:\n",
                "\"{credential.key}\" }": "\"{credential.key}\", X-Nonce: \"{credential.nonce?}\" }",
                "{ then: [acquire], retry: 2 }": "{ challenge: refused, then: [resend] }",
            ], suggests: "challenge.nonce?"),
        .eager(
            .unknownReference, "a reference to a challenge before there is one",
            ["per: [\"{tenant}\"]": "per: [\"{tenant}\", \"{«challenge.realm»}\"]"]),
        .eager(
            .signatureWithoutChallenge, "a signature that answers a challenge",
            [
                "- headers: { \"{field}\": \"{credential.key}\" }":
                    "- sign: { «digest»: { user: \"{field}\", password: \"{credential.key}\" } }"
            ], alongside: [.signatureWithoutChallenge]),
        .eager(
            .unreachableStep, "what follows a refusal that nothing tells",
            ["challenge:\n  - name: refused\n    status: 401\n": "", "rejected:": "«rejected»:"]),
        .eager(
            .emptyCollection, "challenges that are none",
            ["challenge:\n  - name: refused\n    status: 401\n": "challenge: «[»]\n"]),
        .eager(
            .wrongType, "a field whose name is a text of any kind", ["type: header": "type: string", "{field}\":": "{«field»}\":"]),
        .eager(.invalidValue, "a field whose name is more than the parameter", ["\"{field}\":": "\"«X-{field}»\":"]),
        .eager(.optionalReference, "a field without a name", ["default: X-Key": "optional: true", "{field}\":": "{«field»}\":"]),
        .eager(.unknownReference, "a field of a name that nothing has", ["{field}\":": "{«feld»}\":"], suggests: "field"),
        .eager(.invalidValue, "a name that no field can have", ["default: X-Key": "default: «X Key»"]),
        .eager(.invalidValue, "a name in the spec that no field can have", ["\"{field}\":": "\"«X Key»\":"]),
    ]
}
