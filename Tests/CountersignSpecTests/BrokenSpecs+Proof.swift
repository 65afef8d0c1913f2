import CountersignSpec

extension BrokenSpec {
    /// The valid method with tokens that are bound to a key, with texts replaced.
    fileprivate static func bound(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.bound, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let proofs: [BrokenSpec] = [
        .bound(
            .missingKey, "a proof beside a token without its hash",
            [
                "sign: { dpop: { key: \"{credential.key?}\", token: \"{credential.token}\" } }":
                    "sign: { «dpop»: { key: \"{credential.key?}\" } }"
            ],
            says: "a proof for an access token includes its hash; add the key 'token' to 'dpop'"),
        .bound(
            .missingKey, "a proof without a key",
            ["sign: { dpop: { key: \"{credential.key?}\" } }": "sign: { «dpop»: { token: \"{credential.key?}\" } }"]),
        .bound(
            .literalSecret, "a key of a proof for all to see",
            ["sign: { dpop: { key: \"{credential.key?}\" } }": "sign: { dpop: { key: \"«{name}»\" } }"]),
        .bound(
            .literalSecret, "a key of a proof in the spec",
            ["sign: { dpop: { key: \"{credential.key?}\" } }": "sign: { dpop: { key: «c4n4ry» } }"]),
        .bound(
            .duplicateName, "a field that a proof writes",
            ["attach:\n": "attach:\n  - headers: { «dpop»: a }\n"], says: "'sign' already sets 'dpop'"),
        .bound(
            .duplicateName, "the same in a request of the method's own",
            ["client: { id": "headers: { «DPoP»: a }\n      client: { id"], says: "'sign' already sets 'DPoP'"),
        .bound(
            .notExactlyOne, "a client beside another signature",
            [
                "sign: { dpop: { key: \"{credential.key?}\" } }":
                    "«sign»: { basic: { user: \"{name}\", password: \"{credential.key}\" } }"
            ],
            says: "'client' already authenticates the request; remove 'client' or 'sign'", alongside: [.optionalReference]),
        .bound(.unknownWord, "a key of a kind that is none", ["p256-key": "«p256-kye»"], suggests: "p256-key"),
        .bound(
            .filledTwice, "a field that is filled by chance",
            ["generate: { newKey: p256-key }": "generate: { newKey: p256-key, «token»: random }"],
            alongside: [.filledTwice]),
        .bound(.literalSecret, "the hash of what is no secret", ["thumbprint: \"{newKey}\"": "thumbprint: \"«{name}»\""]),
        .bound(
            .optionalReference, "the hash of what may be absent",
            [
                "  - when: { isBound: \"true\" }\n    compute: { hash: { thumbprint: \"{newKey}\" } }":
                    "  - compute: { hash: { thumbprint: \"{«newKey?»}\" } }"
            ], alongside: [.needlessMark]),
        .bound(
            .invalidValue, "a comparison of one text",
            [
                "compute: { hash: { thumbprint: \"{newKey}\" } }":
                    "compute: { hash: { thumbprint: \"{newKey}\" }, isOne: { same: «[»\"{name}\"] } }"
            ],
            alongside: [.needlessMark, .needlessMark]),
        .bound(
            .optionalReference, "a value that is set only where texts are the same",
            [
                "  - compute: { key:": BrokenSpecs.comparison + "  - compute: { key:",
                "dpop_jkt: \"{hash?}\"": "dpop_jkt: \"{hash?}\", label: \"{«label»}\"",
            ], suggests: "label?"),
        .bound(
            .notExactlyOne, "two comparisons of one value", ["{ any-case: DPoP }": "{ any-case: DPoP, «prefix»: D }"]),
    ]

    /// Steps of which the second runs only if two texts are the same.
    private static let comparison = """
          - compute: { isKnown: { same: ["{name}", known] } }
          - when: { isKnown: "true" }
            compute: { label: { join: ["{name}"] } }

        """
}
