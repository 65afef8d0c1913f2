import CountersignSpec

extension BrokenSpec {
    /// The valid method whose requests are signed, with texts replaced.
    fileprivate static func signed(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.signed, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let signatures: [BrokenSpec] = [
        .signed(.missingKey, "a signature without a region", ["aws-sigv4: {": "«aws-sigv4»: {", ", region: eu": ""]),
        .signed(.literalSecret, "a secret key for all to see", ["key: \"{credential.key}\"": "key: «hunter2»"]),
        .signed(
            .misplacedKey, "a signature in header fields with an end", ["aws-sigv4: {": "aws-sigv4: { «expires»: 5m,"],
            says: "the service determines the lifetime of a signature in header fields; add 'in: query' to use 'expires'"),
        .signed(
            .invalidValue, "a signature that is good for too long", ["aws-sigv4: {": "aws-sigv4: { in: query, expires: «169h»,"],
            says: "the lifetime of a signature must be from 1s to 168h"),
        .signed(.unknownWord, "a signature in the body", ["aws-sigv4: {": "aws-sigv4: { in: «body»,"]),
        .signed(.wrongType, "a clock that is none", ["clock: \"{credential.clock?}\"": "clock: \"{«credential.key»}\""]),
        .signed(.needlessMark, "an identifier that is always there", ["id: \"{id}\"": "id: \"{«id?»}\""], suggests: "id"),
        .signed(
            .optionalReference, "a clock that is not known at first", ["{credential.clock?}": "{«credential.clock»}"],
            suggests: "credential.clock?"),
        .signed(
            .wrongType, "a clock of no challenge", ["from: \"{challenge.time?}\"": "from: «noon»"],
            alongside: [.needlessMark, .nothingToResend]),
        .signed(
            .misplacedKey, "a server's time for what is not resent",
            [
                "    capture: { time": "    «capture»: { time",
                "\n  - { challenge: clock, then: [resend], retry: 1 }": "\n  - { then: [acquire] }",
            ]),
        .signed(.misplacedKey, "a server's time by default", ["type: clock } }": "type: clock, «default»: now } }"]),
        .signed(.unknownKey, "a signature of no standard", ["aws-sigv4: {": "«aws-sigv3»: {"], suggests: "aws-sigv4"),
    ]
}
