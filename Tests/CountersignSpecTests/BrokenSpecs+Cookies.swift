import CountersignSpec

extension BrokenSpec {
    /// The valid method whose credential is cookies, with texts replaced.
    fileprivate static func form(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.form, code, title, changes, suggests: suggestion, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let cookies: [BrokenSpec] = [
        .form(.missingKey, "a credential of nothing", ["  cookies: private\n  for:": "  «for»:"]),
        .form(
            .misplacedKey, "a refusal that cookies outlast", ["{ then: [acquire], retry: 1 }": "{ «challenge»: refused }"]),
        .form(.unknownWord, "cookies of another kind", ["cookies: private": "cookies: «session»"]),
        .form(
            .reservedName, "a field that is called as the cookies are",
            [
                "  cookies: private":
                    "  fields:\n    «cookies»: { type: string, summary: S, from: \"{userField}\" }\n  cookies: private"
            ]),
        .form(
            .missingKey, "a field that is in no request, for want of an attachment",
            [
                "credential:\n  cookies: private\n":
                    "«credential»:\n  fields: { token: { type: string, summary: S, from: \"{userField}\" } }\n"
            ]),
        .form(
            .unfilledField, "cookies that no answer shows",
            ["  cookies: private": "  «cookies»: private", ", cookies: present }": " }"]),
        .form(
            .unfilledField, "cookies that one of the answers does not show",
            ["{ status: [302, 303], cookies: present }": "{ status: 303, cookies: present }\n        - { «status»: 302 }"]),
        .form(
            .unfilledField, "cookies under a condition",
            ["  - http:\n      send: \"POST {page}\"": "  - when: { «hidden»: present }\n    http:\n      send: \"POST {page}\""],
            alongside: [.needlessMark]),
        .form(
            .wrongType, "cookies as a text",
            ["rejected:": "attach:\n  - headers: { X-Cookies: \"{«credential.cookies»}\" }\nrejected:"]),
        .form(.nothingToResend, "cookies that are sent again as they are", ["then: [acquire]": "then: [«resend»]"]),
        .form(
            .wrongType, "cookies that are captured",
            ["cookies: present }": "cookies: present, capture: { «cookies»: { header: Set-Cookie } } }"]),
        .form(
            .wrongType, "cookies that the application is asked for",
            [
                "user: { type: string, summary: The user. }":
                    "user: { type: string, summary: The user. }\n        «cookies»: { type: secret, summary: S }"
            ]),
        .form(.unknownWord, "an answer that sets no cookie", ["cookies: present }": "cookies: «absent» }"]),
        .form(.invalidValue, "a cookie without a name", ["cookies: present }": "cookies: { «a b»: present } }"]),
        .form(
            .invalidValue, "a cookie's own name in a capture", ["input: \"{hiddenField}\"": "cookie: «a=b»"]),
        .form(
            .matchesEverything, "a challenge that is looked for in each body",
            ["{ name: error, status: 200, json:": "{ name: error, «json»:"]),
        .form(
            .matchesEverything, "a challenge that is looked for in each text",
            ["{ name: error, status: 200, json: { /error/code: \"{code}\" } }": "{ name: error, «text»: { contains: \"{code}\" } }"]
        ),
        .form(.invalidValue, "a place in JSON without a slash", ["/error/code:": "«error/code»:"]),
        .form(.wrongShape, "a text without a comparison", ["text: { contains: \"{wrong}\" }": "text: «Fails.»"]),
        .form(.notExactlyOne, "a text with two comparisons", ["contains: \"{wrong}\" }": "contains: \"{wrong}\", «prefix»: x }"]),
        .form(
            .optionalReference, "a text that may be absent",
            ["contains: \"{wrong}\"": "contains: \"{«hint»}\""]),
        .form(
            .unreachableStep, "an answer behind one that has less to fit",
            [
                "        - { status: 200, text:":
                    "        - { status: 200, text: { contains: \"{wrong}\" }, error: server }\n        - { «status»: 200, text:"
            ]),
        .form(
            .unreachableStep, "an answer with a cookie behind one with any",
            [
                "        - { status: 200, error: server }":
                    "        - { «status»: 302, cookies: { SID: present } }\n        - { status: 200, error: server }"
            ]),
        .form(
            .unfilledField, "cookies that the answer must not set",
            ["  cookies: private": "  «cookies»: private", "cookies: present }": "cookies: { SID: absent } }"]),
        .form(
            .exposedSecret, "a secret as the name of an input", ["input: \"{hiddenField}\"": "input: \"{«password»}\""]),
        .form(
            .optionalReference, "an input whose name may be absent", ["input: \"{hiddenField}\"": "input: \"{«hint»}\""]),
        .form(
            .unknownReference, "an unknown name of a field", ["\"{userField}\":": "\"{«userfield»}\":"], suggests: "userField"),
        .form(
            .optionalReference, "a field whose name may be absent", ["\"{userField}\":": "\"{«hint»}\":"]),
        .form(
            .exposedSecret, "a secret as the name of a field", ["\"{userField}\":": "\"{«key»}\":"]),
        .form(
            .invalidValue, "a name of a field with a space", ["\"{userField}\":": "\"«user name»\":"]
        ),
    ]
}
