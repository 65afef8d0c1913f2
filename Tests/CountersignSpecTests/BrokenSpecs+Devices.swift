import CountersignSpec

extension BrokenSpec {
    /// The valid method whose user types a code on another device, with texts replaced.
    fileprivate static func device(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            ValidSpec.device, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let devices: [BrokenSpec] = [
        .device(.missingKey, "pauses without an end", ["      every:": "      «every»:", "\n      within: 10m": ""]),
        .device(
            .misplacedKey, "an end without pauses", ["      every: \"{interval}\"\n": "", "      within:": "      «within»:"],
            alongside: [.misplacedKey, .misplacedKey]),
        .device(
            .optionalReference, "an end that may not be known",
            [
                "type: duration, default: 10m": "type: duration, optional: true",
                "lifetime: \"{lifetime}\"": "lifetime: \"{«lifetime»}\"",
            ]),
        .device(.wrongType, "a pause that is no time", ["every: \"{interval}\"": "every: «often»"]),
        .device(.wrongType, "a pause that is a text", ["every: \"{interval}\"": "every: \"{«user»}\""]),
        .device(.wrongType, "a time within a text", ["lifetime: \"{lifetime}\" }": "lifetime: \"«about {lifetime}»\" }"]),
        .device(.invalidValue, "a longer pause that is no time", ["delay: 5s": "delay: «later»"]),
        .device(
            .misplacedKey, "a longer pause after an error",
            ["/error: slow_down }, delay: 5s": "/error: slow_down }, error: server, «delay»: 5s"],
            says: "an answer with 'error' ends the repetition; remove 'delay'"),
        .device(
            .misplacedKey, "a longer pause where there is none",
            ["      every: \"{interval}\"\n      within: 10m\n": "", "delay: 5s": "«delay»: 5s"], alongside: [.misplacedKey]),
        .device(
            .misplacedKey, "a longer pause of no repetition",
            ["        - status: 200\n          capture:": "        - status: 200\n          «delay»: 5s\n          capture:"]),
        .device(
            .misplacedKey, "a page with a code that has a query", ["code: \"{user}\"": "code: \"{user}\", «query»: { a: b }"]),
        .device(
            .notExactlyOne, "a page with a code and an end", ["code: \"{user}\"": "code: \"{user}\", «ends-at»: \"{endpoint}\""],
            alongside: [.misplacedKey]),
        .device(
            .misplacedKey, "a page with the code in it, of a page without one",
            ["code: \"{user}\", complete:": "polled: true, «complete»:"], says: "'complete' is only valid with 'code'",
            alongside: [.unusedCapture]),
        .device(
            .unknownWord, "a page that is not polled", ["code: \"{user}\", complete: \"{whole?}\"": "polled: «false»"],
            alongside: [.unusedCapture, .unusedCapture]),
        .device(
            .misplacedKey, "a page that nothing polls",
            [
                "code: \"{user}\", complete: \"{whole?}\"": "«polled»: true",
                "\n      every: \"{interval}\"\n      within: 10m": "", ", delay: 5s": "",
            ],
            says: "the page is shown while the next step runs, which must be a 'repeat' with 'every' and without 'when'"),
        .device(
            .exposedSecret, "a code that is a secret", ["code: \"{user}\"": "code: \"{«device»}\""], alongside: [.unusedCapture]),
        .device(
            .wrongType, "a page with the code that is no address", ["complete: \"{whole?}\"": "complete: \"«{user}»\""],
            alongside: [.unusedCapture]),
        .device(
            .misplacedKey, "a page with a code within a repetition",
            [
                "        - http:\n            send: \"POST {endpoint}/token\"":
                    "        - present: { open: \"{page}\", «code»: \"{user}\" }\n        - http:\n            send: \"POST {endpoint}/token\""
            ]),
        .device(
            .misplacedKey, "an error of a page that is not seen",
            ["lifetime: \"{lifetime}\" }\n": "lifetime: \"{lifetime}\" }\n    failures: { «server»: Some.case }\n"]),
        .device(
            .invalidValue, "a pause of less than a second", ["every: \"{interval}\"": "every: «250ms»"]
        ),
        .device(.invalidValue, "an end in the far future", ["      within: 10m": "      within: «2h»"]),
        .device(
            .misplacedKey, "a code that nothing waits for",
            ["code: \"{user}\"": "«code»: \"{user}\"", "\n      every: \"{interval}\"\n      within: 10m": "", ", delay: 5s": ""]),
        .device(
            .misplacedKey, "a wait after a logout",
            [
                "attach:\n":
                    "end:\n  - repeat: { while: { credential.token: present }, «every»: 5s, within: 1m, steps: [{ http: { send: \"POST {endpoint}/end\", form: { token: \"{credential.token}\" }, answers: [{ status: 200 }] } }] }\nattach:\n"
            ], alongside: [.neverSucceeds]),
    ]
}
