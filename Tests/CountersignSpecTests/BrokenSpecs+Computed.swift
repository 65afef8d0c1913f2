import CountersignSpec

extension BrokenSpec {
    /// The valid method with a signature that a spec describes, with texts replaced.
    fileprivate static func signed(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.computed, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpec {
    /// The valid method with an HTTP Message Signature, with texts replaced.
    fileprivate static func message(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil
    ) -> BrokenSpec {
        .changed(ValidSpec.message, code, title, changes, suggests: suggestion, says: message)
    }
}

extension BrokenSpecs {
    static let computedSignatures: [BrokenSpec] = [
        .signed(.unknownWord, "a hash that is none", ["hash: sha-256": "hash: «sha-265»"], suggests: "sha-256"),
        .signed(.unknownWord, "a hash that is weak", ["hmac: sha-512": "hmac: «md5»"]),
        .signed(.missingKey, "a code without a key", ["{ hmac: sha-512, key: \"{key}\",": "{ «hmac»: sha-512,"]),
        .signed(.missingKey, "a hash of nothing", ["{ hash: sha-256, of: \"{request.body}\" }": "{ «hash»: sha-256 }"]),
        .signed(
            .misplacedKey, "a hash with a key", ["{ hash: sha-256,": "{ hash: sha-256, «key»: \"{key}\","],
            says: "'key' is only valid with 'hmac'"),
        .signed(
            .misplacedKey, "a time with a form", ["{ time: unix }": "{ time: unix, «as»: hex }"],
            says: "'as' is only valid with 'join' or 'hash' or 'hmac'"),
        .signed(
            .exposedSecret, "a secret among texts that are joined, but not encoded",
            ["{ time: unix }": "{ join: [\"{«key»}\"] }"]),
        .signed(
            .unknownWord, "an encoding that is none", ["{ time: unix }": "{ join: [\"{key}\"], as: «octal» }"]),
        .signed(.literalSecret, "a key for all to see", ["key: \"{key}\", of": "key: \"«{name}»\", of"]),
        .signed(.literalSecret, "a key in the spec", ["key: \"{key}\", of": "key: «c4n4ry», of"]),
        .signed(
            .unknownReference, "a part of a request in a header field", ["X-Time: \"{now}\"": "X-Time: \"{«request.method»}\""],
            says: "'{request.method}' is a part of the request; it can only be used under 'compute' of 'attach'"),
        .signed(
            .unknownReference, "a part that requests do not have",
            [
                "of: \"{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name}\"":
                    "of: «\"{request.method}{request.targte}\\n{salt}{now}{digest}{credential.nonce}\\n{name}\"»"
            ], suggests: "request.target",
            says:
                "the parts of a request are '{request.url.origin}', '{request.method}', '{request.host}', '{request.path}', '{request.query}', '{request.target}', '{request.body}'"
        ),
        .signed(
            .unknownReference, "a part of a request in what credentials are kept apart by",
            ["for: [\"{servers}\"]": "per: [\"{«request.host»}\"]\n  for: [\"{servers}\"]"]),
        .signed(
            .unknownReference, "a value before it is worked out",
            ["{ hash: sha-256, of: \"{request.body}\" }": "{ hash: sha-256, of: \"{«signature»}\" }"]),
        .signed(
            .unknownReference, "a computed value in the name of a parameter",
            [
                "X-Signature: \"{signature}\" }":
                    "X-Signature: \"{signature}\" }\n    query: { time: \"{now}\", \"{«digest»}\": a }"
            ], says: "'{digest}' cannot be used here; a name can only refer to parameters"),
        .signed(
            .unknownReference, "a part of the request beside a computed value in the query",
            [
                "X-Signature: \"{signature}\" }":
                    "X-Signature: \"{signature}\" }\n    query: { time: \"{now}\", to: \"{«request.host»}\" }"
            ], says: "'{request.host}' is a part of the request; it can only be used under 'compute' of 'attach'"),
        .signed(
            .unknownReference, "a computed value in the query of another item",
            [
                "X-Signature: \"{signature}\" }":
                    "X-Signature: \"{signature}\" }\n  - query: { time: \"{«now»}\" }"
            ], says: "there is no parameter 'now'; there are 'servers', 'name', 'key', 'credential.nonce'"),
        .signed(
            .duplicateName, "a computed parameter of the query that is already attached",
            [
                "attach:\n": "attach:\n  - query: { time: a }\n",
                "X-Signature: \"{signature}\" }": "X-Signature: \"{signature}\" }\n    query: { «time»: \"{now}\" }",
            ], says: "the query parameter 'time' is already attached"),
        .signed(
            .unusedCapture, "a value that the parameters of the query do not have",
            [
                "salt: random": "salt: random, «pepper»: random",
                "headers: { X-Time: \"{now}\", X-Salt: \"{salt}\", X-Signature: \"{signature}\" }":
                    "query: { time: \"{now}\", salt: \"{salt}\", signature: \"{signature}\" }",
            ]),
        .signed(
            .unknownReference, "a generated value that only the body has",
            [
                "salt: random": "salt: random, pepper: random",
                "X-Signature: \"{signature}\" }": "X-Signature: \"{signature}\" }\n    json: { pepper: \"{«pepper»}\" }",
            ]),
        .signed(
            .unknownReference, "a computed value in the body",
            ["X-Signature: \"{signature}\" }": "X-Signature: \"{signature}\" }\n    json: { time: \"{«now»}\" }"],
            says: "'{now}' is computed after the body of the request is complete; only 'headers' and 'query' can contain it"),
        .signed(
            .unknownReference, "a part of the request in the query",
            ["X-Signature: \"{signature}\" }": "X-Signature: \"{signature}\" }\n    query: { to: \"{«request.host»}\" }"]),
        .signed(
            .duplicateName, "a value with the name of a parameter", ["salt: random": "salt: random, «name»: random"],
            says: "there is already a value 'name'; use another name", alongside: [.unusedCapture]),
        .signed(
            .unusedCapture, "a value that nothing uses", ["salt: random": "salt: random, «pepper»: random"],
            says: "'pepper' is computed but not used; refer to it in a header field or a parameter of the query"),
        .signed(
            .notExactlyOne, "two signatures",
            [
                "attach:\n":
                    "attach:\n  - sign: { basic: { user: \"{name}\", password: \"{key}\" } }\n",
                "generate: { salt": "«generate»: { salt",
            ]),
        .signed(.unknownKey, "a passcode of a request", ["{ time: unix }": "{ «totp»: \"{key}\" }"]),
        .signed(.unknownWord, "a code verifier of a request", ["salt: random": "salt: «pkce»"]),
        .signed(.unknownWord, "a time that is written in no known way", ["time: unix": "time: «epoch»"]),
        .signed(
            .optionalReference, "a signature of what may be absent",
            [
                "name: { type: string,": "name: { type: string, optional: true,",
                "of: \"{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name}\"":
                    "of: «\"{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name?}\"»",
            ]),
        .signed(
            .wrongType, "a time by no clock", ["{ time: unix }": "{ time: unix, clock: \"{«name»}\" }"]),
        .signed(
            .invalidValue, "a signature with a control character",
            [
                "of: \"{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name}\"":
                    "of: «\"\\a{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name}\"»"
            ]),
        .message(
            .unknownWord, "an algorithm that is none", ["algorithm: hmac-sha256": "algorithm: «hmac-sha1»"], suggests: "hmac-sha256"
        ),
        .message(
            .missingKey, "a signature of nothing",
            ["http-message:": "«http-message»:", "        components: [\"@method\", date]\n": ""]),
        .message(.emptyCollection, "a signature of no components", ["[\"@method\", date]": "«[»]"]),
        .message(.invalidValue, "a component of responses", ["[\"@method\", date]": "[\"«@status»\", date]"]),
        .message(
            .invalidValue, "a parameter of the query without quotation marks",
            ["[\"@method\", date]": "[\"«@query-param;name=Pet»\", date]"]),
        .message(.invalidValue, "a field that is not in lower case", ["[\"@method\", date]": "[«Date»]"]),
        .message(
            .duplicateName, "a component twice", ["[\"@method\", date]": "[date, \"@method\", «date»]"],
            says: "'date' is already signed; remove this one"),
        .message(
            .misplacedKey, "a private key in hexadecimal digits",
            ["algorithm: hmac-sha256": "algorithm: ed25519\n        «key-as»: hex"],
            says: "a private key is always in PEM; remove 'key-as'"),
        .message(.literalSecret, "a key of a signature for all to see", ["key: \"{key}\"": "key: \"«{name}»\""]),
        .message(.invalidValue, "a signature for no time", ["date]": "date]\n        expires: «soon»"]),
        .message(
            .invalidValue, "a nonce that all signatures have", ["date]": "date]\n        nonce: «once»"],
            says: "a nonce cannot be a fixed text; write 'random', or a reference to a nonce of the server"),
        .message(
            .notExactlyOne, "a signature beside one that is described",
            [
                "attach:\n": "attach:\n  - compute: { now: { time: unix } }\n    headers: { X-Time: \"{now}\" }\n",
                "- sign:": "- «sign»:",
            ]),
        .message(
            .invalidValue, "a field that is written later", ["[\"@method\", date]": "[\"@method\", «cookie»]"],
            says: "'cookie' is missing when a request is signed, or changes afterwards; remove it"),
        .message(
            .duplicateName, "a field that a signature writes",
            ["attach:\n": "attach:\n  - headers: { «Signature-Input»: a }\n"], says: "'sign' already sets 'Signature-Input'"),
        .message(
            .optionalReference, "a key that may be absent",
            ["key: { type: secret,": "key: { type: secret, optional: true,", "key: \"{key}\"": "key: \"{«key?»}\""]),
        .message(
            .invalidValue, "a label that no structured field has", ["date]": "date]\n        label: «Sig1»"],
            says: "a label must begin with a lower-case letter or '*', and can only contain lower-case letters, digits and '_-.*'"),
        .message(
            .invalidValue, "a signature for half a second", ["date]": "date]\n        expires: «1500ms»"],
            says: "the lifetime of a signature must be in whole seconds"),
    ]
}
