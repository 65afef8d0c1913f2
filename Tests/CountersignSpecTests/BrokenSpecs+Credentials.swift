import CountersignSpec

extension BrokenSpec {
    /// The valid method with a key with a text replaced.
    fileprivate static func key(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        let text = ValidSpec.key.changing("    overlaps: [Password]\n", to: "").changing(old, to: new)
        return BrokenSpec(code, title, SpecSources(method: text), suggests: suggestion, alongside: consequences)
    }

    /// The valid method with a password with a text replaced.
    fileprivate static func password(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.password.changing(old, to: new)), suggests: suggestion,
            alongside: consequences)
    }
}

extension BrokenSpec {
    /// The valid method with a certificate with a text replaced.
    fileprivate static func certificate(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.certificate.changing(old, to: new)), suggests: suggestion,
            alongside: consequences)
    }
}

extension BrokenSpecs {
    static let credentials: [BrokenSpec] = [
        .method(
            .misplacedKey, "a refused connection in a web login", "status: 401\n", "status: 401\n    «tls»: client-certificate\n"),
        .certificate(
            .misplacedKey, "a status of a refused connection", "    tls: client-certificate\n",
            "    tls: client-certificate\n    «status»: 495\n"),
        .certificate(
            .unknownWord, "a connection that is refused for another reason", "tls: client-certificate", "tls: «client-certificat»",
            suggests: "client-certificate"),
        .certificate(
            .misplacedKey, "a body of any response", "    status: 400\n    body", "    «body»", alongside: [.matchesEverything]),
        .certificate(.invalidValue, "a repetition of what is not stored", "again: stored", "again: «storied»"),
        .key(.missingKey, "a key without a field", "credential: api-key\nattach: { header: X-Key }", "«credential»: api-key"),
        .password(
            .misplacedKey, "a field for a password", "credential: basic", "credential: basic\n«attach»: { header: X-Password }"),
        .key(
            .misplacedKey, "parameters of a credential of the application's", "credential: api-key",
            "«parameters»: { P: { summary: None., fields: { a: { type: string, example: a, summary: A. } } } }\ncredential: api-key"
        ),
        .method(
            .missingKey, "no parameters of a method that needs them",
            "countersign: 1\nmethod: Web\nsummary: A web login.\nparameters:",
            "«c»ountersign: 1\nmethod: Web\nsummary: A web login.\nparameter:", alongside: [.unknownKey]),
        .key(
            .misplacedKey, "a page for a key", "- ask: credential\n      fails: { unusable: unusable }", "- «request»: {}",
            alongside: [.missingKey, .missingKey, .missingKey]),
        .method(.misplacedKey, "a question in a web login", "  authenticate:\n", "  authenticate:\n    - «ask»: credential\n"),
        .method(.misplacedKey, "a refusal of cookies", "status: 401\n", "status: 401\n    «refused»: refused\n"),
        .key(
            .misplacedKey, "a repetition before anything was refused", "    - ask: credential",
            "    - «again»: 1\n    - ask: credential"),
        .key(.misplacedKey, "a question after a refusal", "    - again: 1", "    - «ask»: credential"),
        .key(.invalidValue, "a repetition without an end", "again: 1", "again: «0»"),
        .key(.invalidValue, "a field that is none", "X-Key", "«X@Key»"),
        .key(
            .missingKey, "no end of refusals", "  after-resend:\n    - again: 1\n    - fail: refused\n",
            "  «after-resend»:\n    - again: 1\n"),
        .key(
            .neverSucceeds, "nobody is asked", "  authenticate:\n    - ask: credential\n      fails: { unusable: unusable }",
            "  «authenticate»:\n    - load: credential"),
        .key(.unknownErrorCase, "a refusal that there is not", "refused: needed", "refused: «neded»", suggests: "needed"),
        .key(
            .wrongCarriedValues, "a question's failure that carries something", "unusable: unusable", "cancelled: «unusable»"),
        .password(
            .duplicateName, "two cases of one name", "      refused:   { summary: None was right. }\n",
            """
                  refused:   { summary: None was right. }
              OtherError:
                summary: Others.
                cases:
                  «refused»: { summary: The same. }

            """),
        .password(.misplacedKey, "a direct run of a question", "flow:\n", "flow:\n  «busy»: refused\n"),
        .key(.unknownReference, "an overlap with nothing", "    status: 401\n", "    status: 401\n    overlaps: [«Passwort»]\n"),
        .key(.unknownWord, "a question for something else", "ask: credential", "ask: «password»"),
    ]
}
