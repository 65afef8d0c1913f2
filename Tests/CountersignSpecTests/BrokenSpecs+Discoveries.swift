import CountersignSpec

extension BrokenSpec {
    /// The valid discovery with a text replaced.
    fileprivate static func discovery(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.enrolment.changing(old, to: new)), suggests: suggestion,
            alongside: consequences)
    }
}

extension BrokenSpecs {
    static let discoveries: [BrokenSpec] = [
        .discovery(.unknownKey, "an unknown key of a discovery", "bearer: ticket", "«bearr»: ticket", suggests: "bearer"),
        .discovery(
            .unknownKey, "an unknown key of a call", "      message: /error/0/text", "      «mesage»: /error/0/text",
            suggests: "message"),
        BrokenSpec(
            .missingKey, "a discovery without steps",
            SpecSources(method: "«c»" + ValidSpec.enrolment.dropFirst().description.changing("obtain:\n", to: "other:\n")),
            alongside: [.unknownKey]),
        .discovery(.unknownField, "pins that are no field", "pins: pins\n", "pins: «pin»\n", suggests: "pins"),
        .discovery(.wrongType, "pins in a field of another type", "pins: pins\n", "pins: «unit»\n"),
        .discovery(.reservedName, "a token under a name that is taken", "bearer: ticket", "bearer: «core»"),
        .discovery(.duplicateName, "a token under the label of the parameters", "bearer: ticket", "bearer: «enrolmentParameters»"),
        .discovery(
            .unknownErrorCase, "a cancellation without a case", "cancelled: stopped", "cancelled: «stoped»", suggests: "stopped"),
        .discovery(.wrongCarriedValues, "a cancellation that carries something", "cancelled: stopped", "cancelled: «refused»"),
        BrokenSpec(
            .neverSucceeds, "steps without an identity",
            SpecSources(
                method: ValidSpec.enrolment.changing("obtain:\n", to: "«obtain»:\n").changing(
                    "  - identity: \"{captured.chain}\"\n    fails: { certificate: misnamed, mismatch: misnamed }\n", to: ""))),
        .discovery(
            .misplacedKey, "rounds without a question",
            "  - call:\n      get: \"{server}/begin?unit={unit}&days={days}&level={level}&delay={delay}&extra={extra}\"\n",
            "  - «rounds»:\n      page: { fields: /ask, name: /name }\n      post: \"{server}/begin?unit={unit}\"\n      form: { a: b }\n"
        ),
        .discovery(.misplacedKey, "an identity where one is retired", "retire:\n", "retire:\n  - «key»: p256\n"),
        .discovery(
            .misplacedKey, "a failure that a step does not have", "fails: { status: refused, missing: strange }",
            "fails: { status: refused, «late»: slow }"),
        .discovery(
            .wrongCarriedValues, "a status that carries an error", "fails: { status: refused, missing: strange }",
            "fails: { status: «unreachable», missing: strange }"),
        .discovery(
            .unknownReference, "a value that no answer brought", "dns: \"{captured.names}\"", "dns: \"{«captured.name»}\"",
            suggests: "captured.names"),
        .discovery(
            .unknownReference, "an identity that is not there yet", "form: { session: \"{captured.session}\"",
            "form: { session: \"{«identity.certificate»}\""),
        .discovery(
            .unknownReference, "a request that is not made yet", "json: { session: \"{captured.session}\"",
            "json: { session: \"{«generated.certificate_request»}\""),
        .discovery(
            .misplacedKey, "a request as a body that is not made yet",
            "json: { session: \"{captured.session}\", unit: \"unit-{unit}\", bits: \"{bits}\", pause: \"{pause} s\", urgent: \"{urgent}\" }",
            "«body»: certificate-request", alongside: [.misplacedKey]),
        .discovery(
            .notExactlyOne, "two bodies", "form: { session: \"{captured.session}\"",
            "json: { a: b }\n      «form»: { session: \"{captured.session}\""),
        BrokenSpec(
            .missingKey, "rounds of JSON without a member for the values",
            SpecSources(
                method: ValidSpec.enrolment.changing("      page:", to: "      «p»age:").changing("      values: given\n", to: ""))),
        .discovery(
            .duplicateName, "a member that the values have", "values: given", "values: «session»"),
        .discovery(
            .invalidValue, "a pointer without a slash", "capture: { session: /session/id }", "capture: { session: «session/id» }"),
        .discovery(.invalidValue, "no rounds", "limit: 3", "limit: «0»"),
        .discovery(.wrongType, "a list within a text", "unit: \"unit-{unit}\"", "unit: \"unit-{«captured.session»}\""),
        .discovery(.unknownWord, "a kind of key that nobody makes", "otherwise: p256", "otherwise: «p265»", suggests: "p256"),
        .discovery(
            .unusedParameter, "a parameter that no step uses", "  server:  { type: url, summary: The authority. }",
            "  server:  { type: url, summary: The authority. }\n      «spare»: { type: string, summary: Nothing. }"),
        .discovery(
            .errorNeverRaised, "an error that no step raises", "      slow:        { summary: Nobody answered. }",
            "      slow:        { summary: Nobody answered. }\n      «never»:       { summary: Never. }"),
        .discovery(
            .collidingTypeName, "an error type with the name of the class", "  EnrolmentError:\n", "  «Enrolment»:\n"),
        .discovery(.wrongType, "a certificate that stands in the spec", "identity: \"{captured.chain}\"", "identity: «MIIB»"),
        .discovery(
            .wrongType, "a kind of key that nothing names", "kind: \"{groups}\"", "kind: «rsa2048»"),
        .discovery(
            .wrongType, "a name with a value in the midst of it", "subject: \"CN=user,OU=Sales\"",
            "subject: \"«CN=user,OU={unit}»\""),
        .discovery(
            .misplacedKey, "another key after the request", "    fails: { name: misnamed, key: stopped }\n",
            "    fails: { name: misnamed, key: stopped }\n  - «key»: p256\n"),
        .discovery(
            .reservedName, "a slot with a name of Swift's", "capture: { chain: body }", "capture: { «self»: body }",
            alongside: [.unknownReference]),
        .discovery(.duplicateName, "a label that the session has", "label: enrolmentParameters", "label: «session»"),
        .discovery(.invalidValue, "a message that is all of the answer", "message: /error/0/text", "message: «body»"),
        .discovery(
            .invalidValue, "an integer with a unit", "      unit:    {",
            "      tries:   { type: integer, default: «3x», summary: Tries. }\n      unit:    {"),
        .discovery(
            .invalidValue, "a duration without a unit", "      unit:    {",
            "      wait:    { type: duration, default: «120», summary: Wait. }\n      unit:    {"),
        .discovery(
            .unknownWord, "a type that only methods have", "contact: { type: string,", "contact: { type: «origins»,"),
        .discovery(
            .unknownField, "a configuration key for no field", "      pins: [authority.pins]", "      «pinz»: [authority.pins]",
            suggests: "pins"),
        .discovery(
            .unknownField, "a value for no field", "    configuration:\n",
            "    from: { settings: { server: \"{settings.serverURL}\", «units»: \"{settings.region}\" } }\n    configuration:\n",
            suggests: "unit", alongside: [.incompleteSettings, .incompleteSettings]),
        .discovery(
            .incompleteSettings, "a required field that the settings do not give", "    configuration:\n",
            "    from: { «settings»: { unit: \"{settings.region}\" } }\n    configuration:\n",
            alongside: [.incompleteSettings, .incompleteSettings]),
        .discovery(
            .unknownField, "a field beside the settings that there is not", "    configuration:\n",
            "    from: { settings: { server: \"{settings.serverURL}\" }, beside: [«contac»] }\n    configuration:\n",
            suggests: "contact", alongside: [.incompleteSettings, .incompleteSettings]),
        .discovery(
            .notExactlyOne, "two error types", "  EnrolmentError:\n",
            "  MoreError: { summary: More., cases: { more: { summary: More. } } }\n  «EnrolmentError»:\n"),
        .discovery(
            .notExactlyOne, "two parameter structs", "label: enrolmentParameters",
            "  «MoreParameters»: { summary: More., fields: { a: { type: string, default: a, summary: A. } } }\n\nlabel: enrolmentParameters"
        ),
        .discovery(
            .malformedTemplate, "a mark on a captured value", "dns: \"{captured.names}\"", "dns: \"«{captured.names?}»\""),
        BrokenSpec(
            .misplacedKey, "a discovery in a landscape of the surface 'core'",
            SpecSources(program: ValidSpec.enrolment.changing("discovery:", to: "«discovery»:")),
            says: "a discovery is for landscapes whose 'swift' says 'surface: foundation'"),
    ]
}
