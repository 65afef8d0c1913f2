import CountersignSpec

extension BrokenSpec {
    /// The valid enrolment with a text replaced.
    fileprivate static func enrolment(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.enrolment.changing(old, to: new)), suggests: suggestion, says: message,
            alongside: consequences)
    }
}

extension BrokenSpecs {
    private static let page = "page: { json: \"{page}\", answers: given, within: 90s, fields: /ask, name: /name }"

    static let enrolments: [BrokenSpec] = [
        // Credentials for the application.
        .enrolment(
            .misplacedKey, "a challenge of what no request carries", "acquire:\n",
            "«challenge»:\n  - { name: a, status: 401 }\nacquire:\n"),
        .enrolment(
            .misplacedKey, "a place in requests of what no request carries", "acquire:\n",
            "«attach»: [{ identity: \"{credential.identity}\" }]\nacquire:\n"),
        .enrolment(.misplacedKey, "a server beside the application", "for: [application]", "for: [«application», \"{server}\"]"),
        .enrolment(
            .misplacedKey, "the lifetime of what the application keeps", "  for: [application]",
            "  «space»: servers\n  for: [application]"),
        .enrolment(
            .wrongType, "a text for the application", "credential:\n  fields: { identity: { type: identity,",
            "«credential»:\n  fields: { token: { type: secret, from: \"{ticket?}\", summary: T. }, identity: { type: identity,"),
        BrokenSpec(
            .misplacedKey, "an enrolment in a landscape of the surface 'core'",
            SpecSources(
                program: ValidSpec.program.changing("for: [\"{servers}\"]", to: "for: [«application»]")),
            says: "'application' requires 'surface: foundation' under 'swift' of the landscape; name the servers",
            alongside: [.misplacedKey, .misplacedKey, .misplacedKey, .misplacedKey, .misplacedKey]),
        // Generated code.
        .enrolment(.unknownField, "a property that is no parameter", "[ticket, note]", "[«tickt», note]", suggests: "ticket"),
        .enrolment(.duplicateName, "a property twice", "[ticket, note]", "[ticket, note, «note»]"),
        .enrolment(.wrongType, "a property that has to be there", "[ticket, note]", "[ticket, note, «unit»]"),
        .enrolment(
            .misplacedKey, "a property from a configuration", "ticket:  { type: secret,",
            "ticket:  { type: secret, «configuration»: [ticket],"),
        .enrolment(.duplicateName, "a label that the session has", "labels: [enrolmentParameters]", "labels: [«session»]"),
        .enrolment(.reservedName, "a label that the class has", "labels: [enrolmentParameters]", "labels: [«input»]"),
        .enrolment(
            .notExactlyOne, "a second label", "labels: [enrolmentParameters]", "labels: [enrolmentParameters, «parameters»]"),
        .enrolment(
            .misplacedKey, "a completion of what is not started by hand", "swift: { labels", "swift: { «completion»: logged, labels"
        ),
        .enrolment(
            .unknownErrorCase, "a cancellation without a case", "cancelled: stopped", "cancelled: «stoped»", suggests: "stopped"),
        .enrolment(.wrongCarriedValues, "a cancellation that carries something", "cancelled: stopped", "cancelled: «refused»"),
        .enrolment(
            .unusedParameter, "a parameter that no step uses", "  server:  {",
            "  «spare»:   { type: string, default: a, summary: Nothing. }\n  server:  {"),
        .enrolment(
            .errorNeverRaised, "an error that no step raises", "  slow:        {",
            "  «never»:       { summary: Never. }\n  slow:        {"),
        BrokenSpec(
            .collidingTypeName, "an error type with the name of the class",
            SpecSources(
                method: ValidSpec.enrolment.changing(
                    "properties: [ticket, note]",
                    to:
                        "properties: [ticket, note], errors: { «Enrolment»: [refused, unreachable, declined, strange, misnamed, slow, stopped] }"
                ))),
        // Steps.
        .changed(
            method: ValidSpec.enrolment, .unfilledField, "steps without an identity",
            [
                "fields: { identity: {": "fields: { «identity»: {",
                "  - compute: { identity: { identity: { key: \"{key}\", certificates: \"{chain}\" } } }\n    failures: { certificate: misnamed, mismatch: misnamed }\n":
                    "",
                "serial-number: \"{credential.identity}\"": "pem: \"{credential.identity}\"",
                "answers: [{ status: 200, capture: { chain: { body: whole, type: texts } } }]": "answers: [{ status: 200 }]",
            ]),
        .enrolment(
            .misplacedKey, "a failure that a request does not have",
            "failures: { status: refused, network: unreachable, missing: strange }",
            "failures: { status: refused, network: unreachable, missing: strange, «late»: slow }",
            says: "'late' is not a failure of this 'http'; supported: 'status', 'network', 'missing'"),
        .enrolment(
            .misplacedKey, "a failure that a key does not have", "  - compute: { key: { private-key: \"{kind}\" } }\n",
            "  - compute: { key: { private-key: \"{kind}\" } }\n    failures: { «name»: misnamed }\n",
            says: "'name' is not a failure of this 'compute'; supported: 'key'"),
        .enrolment(
            .wrongCarriedValues, "a status that carries an error", "failures: { status: refused, network",
            "failures: { status: «unreachable», network"),
        .enrolment(
            .unknownReference, "a value that no answer brought", "dns: \"{names?}\"", "dns: \"{«namez»?}\"", suggests: "names"),
        .enrolment(
            .unknownReference, "a request that is not made yet", "form: { session: \"{session}\" }",
            "form: { session: \"{session}\", request: \"{«request»}\" }"),
        .enrolment(
            .notExactlyOne, "two bodies", "form: { session: \"{session}\", request: \"{request}\", hosts: \"{hosts?}\" }",
            "form: { session: \"{session}\", hosts: \"{hosts?}\" }\n      «body»: \"{request}\""),
        .enrolment(
            .wrongType, "a body that is no request",
            "form: { session: \"{session}\", request: \"{request}\", hosts: \"{hosts?}\" }",
            "body: \"{«session»}\"\n      query: { request: \"{request}\", hosts: \"{hosts?}\" }"),
        .enrolment(
            .misplacedKey, "a body of a request without one", "      send: DELETE {server}/certificates/{serial}\n",
            "      send: GET {server}/certificates/{serial}\n      «json»: { a: b }\n"),
        .changed(
            method: ValidSpec.enrolment, .unknownReference, "pins that a server has named",
            [
                "      using: session\n      form: { session: \"{session}\", request":
                    "      using: session\n      pins: \"{«names?»}\"\n      form: { session: \"{session}\", request"
            ]),
        .enrolment(.wrongType, "pins that are no list", "pins: \"{pins?}\"", "pins: \"{«unit»}\""),
        .enrolment(
            .invalidValue, "a pointer without a slash", "names: { json: /names, type: texts, optional: true }\n      message",
            "names: { json: «names», type: texts, optional: true }\n      message"),
        .enrolment(.invalidValue, "a message that is no place", "message: /error/0/text", "message: «body»"),
        .enrolment(
            .invalidValue, "a value that is a part of a segment", "send: GET {server}/units/{unit}/begin",
            "send: GET {server}/units/no-{«unit»}/begin", says: "a value in a path must be a whole segment, between slashes"),
        .enrolment(
            .exposedSecret, "a secret in a path", "send: GET {server}/units/{unit}/begin",
            "send: GET {server}/units/{«ticket»}/begin",
            alongside: [.optionalReference]),
        .enrolment(
            .wrongType, "a list within a text", "unit: \"unit-{unit}\"", "unit: \"unit-{«hosts?»}\""),
        // Whole bodies.
        .enrolment(
            .wrongType, "a whole body that is a text", "chain: { body: whole, type: texts }",
            "chain: { body: whole, type: «string» }",
            suggests: "texts"),
        .enrolment(
            .wrongType, "a whole body without a type", "chain: { body: whole, type: texts }", "«chain»: { body: whole }"),
        .enrolment(
            .wrongType, "JSON that is a part of a body", "            page: { body: whole, type: json }\n",
            "            page: { json: /ask, type: «json» }\n"),
        .enrolment(
            .misplacedKey, "a list with a default", "chain: { body: whole, type: texts }",
            "chain: { body: whole, type: texts, «default»: a }"),
        // Prompts for a server's page.
        .enrolment(
            .missingKey, "a page without names", page, "«page»: { json: \"{page}\", answers: given, within: 90s, fields: /ask }"),
        .enrolment(
            .wrongType, "a page that is a text", page,
            "page: { json: \"{«session»}\", answers: given, within: 90s, fields: /ask, name: /name }"),
        .enrolment(
            .misplacedKey, "a style of hidden fields without a type", page,
            "page: { json: \"{page}\", answers: given, within: 90s, fields: /ask, name: /name, «hidden»: a }"),
        .enrolment(
            .wrongType, "answers as a text", "json: { session: \"{session}\", unit", "json: { session: \"a-{«given»}\", unit"),
        .enrolment(
            .wrongType, "a text in place of answers", "form: { session: \"{session}\" }", "form: { \"*\": \"«{session}»\" }"),
        .enrolment(
            .notExactlyOne, "a page and fields", "prompt: { page:",
            "prompt: { fields: { a: { type: string, summary: A. } }, «page»:"),
        // Repetitions.
        .enrolment(.invalidValue, "no repetition", "limit: 3", "limit: «0»"),
        .enrolment(
            .unknownReference, "a repetition for what there is not", "while: { page: present }", "while: { «pagee»: present }",
            suggests: "page"),
        .enrolment(
            .unreachableStep, "a repetition that never begins", "while: { page: present }", "while: { «session»: absent }"),
        .enrolment(
            .neverSucceeds, "a repetition that never ends", "  - repeat:\n      while: { page: present }",
            "  - «repeat»:\n      while: { session: present }",
            says:
                "these steps always run until their limit, because 'while' holds after every path through them; add an answer that does not set its value",
            alongside: [.optionalReference]),
        .enrolment(
            .unknownKey, "a repetition within one", "        - prompt: { page:",
            "        - «repeat»: { while: { page: present }, steps: [] }\n        - prompt: { page:"),
        .changed(
            method: ValidSpec.enrolment, .optionalReference, "a value that is lost before the steps run again",
            [
                "json: { session: \"{session}\", unit": "json: { session: \"{«session»}\", unit",
                "              - { status: 200, capture: { names: { json: /names, type: texts, optional: true } } }\n":
                    "              - { status: 200, json: { /new: present }, capture: { session: { json: /new }, page: { body: whole, type: json } } }\n"
                    + "              - { status: 200, capture: { session: { json: /session }, names: { json: /names, type: texts, optional: true } } }\n",
            ], suggests: "session?"),
        // Keys and certificates.
        .enrolment(
            .unknownWord, "a kind of key that nobody makes", "private-key: \"{kind}\"", "private-key: «p265»", suggests: "p256"),
        .enrolment(
            .wrongType, "a kind of key in a secret", "private-key: \"{kind}\"", "private-key: \"«x{kind}»\""),
        .enrolment(
            .wrongType, "a certificate that stands in the spec", "certificates: \"{chain}\"", "certificates: «MIIB»"),
        .enrolment(
            .wrongType, "a name with a value in the midst of it", "subject: \"CN=user,OU=Sales\"",
            "subject: \"«CN=user,OU={unit}»\""),
        .enrolment(
            .wrongType, "a request that is signed with a text", "certificate-request: { key: \"{key}\"",
            "certificate-request: { key: \"{«session»}\""),
        .enrolment(
            .wrongType, "a key that is sent", "request: \"{request}\", hosts", "request: \"{request}\", key: \"{«key»}\", hosts"),
        .enrolment(
            .wrongType, "the number of a text", "serial-number: \"{credential.identity}\"", "serial-number: \"{«unit»}\""),
        .enrolment(
            .wrongType, "the PEM of a text", "serial-number: \"{credential.identity}\"", "pem: \"{«unit»}\""),
        .enrolment(
            .filledTwice, "a second key of the name", "  - compute: { key: { private-key: \"{kind}\" } }\n",
            "  - compute: { key: { private-key: \"{kind}\" } }\n  - compute: { «key»: { private-key: p256 } }\n"),
        .enrolment(.malformedTemplate, "a mark within a name", "dns: \"{names?}\"", "dns: \"«{na?mes}»\""),
        .enrolment(
            .wrongType, "the lifetime of a text", "serial-number: \"{credential.identity}\"", "lifetime: \"{«unit»}\"",
            alongside: [.wrongType, .wrongType]),
    ]
}
