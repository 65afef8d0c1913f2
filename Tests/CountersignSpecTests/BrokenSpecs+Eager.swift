import CountersignSpec

extension BrokenSpec {
    /// The valid method whose credential is in the first request, with texts replaced.
    fileprivate static func eager(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.eager, code, title, changes, suggests: suggestion, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let eager: [BrokenSpec] = [
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
