extension SpecLanguage {
    /// A file with the key `discovery`.
    package static let discovery = Construct(
        "a discovery", "A service that client certificates are obtained from, and how it is asked for one.",
        keys: [versionKey, discoveryNameKey] + discoveryKeys)

    /// What a landscape can change of an inherited discovery: mappings are merged, lists and texts replaced.
    static let discoveryOverride = Construct(
        "an override of a discovery", "What differs from the inherited discovery.", isOverride: true, keys: discoveryKeys)

    private static let discoveryNameKey = Construct.Key(
        "discovery", .text(.typeName), required: true, "The name of the generated class.")

    private static let discoveryKeys: [Construct.Key] = [
        summaryKey, discussionKey,
        .init(
            "parameters", .named(.typeName, key: "the struct's name", .construct(discoveryParameters)), required: true,
            "What the service's client needs to know: one struct."),
        .init("label", .text(.memberName), default: "parameters", "The label of initialisers that take the parameters."),
        pinsKey, bearerKey, obtainKey, retireKey, cancelledKey,
        .init(
            "errors", .named(.typeName, key: "the error type's name", .construct(discoveryErrors)), required: true,
            "What it can end in: one error type."),
    ]

    private static let pinsKey = Construct.Key(
        "pins", .text(.fieldReference),
        """
        A field of type `texts` with the SHA-256 of public keys in base64 (RFC 7469, section 2.4). If it has any, a server with another \
        key gets no request.
        """)
    private static let bearerKey = Construct.Key(
        "bearer", .text(.memberName),
        """
        The name of a property by which the application can hand over an access token for the calls. Without a token in it, the \
        session's observers authenticate them.
        """)
    private static let obtainKey = Construct.Key(
        "obtain", .list(of: .construct(discoveryStep)), required: true, "The steps to a certificate; the last is `identity`.")
    private static let retireKey = Construct.Key(
        "retire", .list(of: .construct(discoveryStep)),
        "The calls that tell the service that a certificate is not needed any more: `{identity.serial_number}`, `{identity.certificate}`."
    )
    private static let cancelledKey = Construct.Key("cancelled", .text(.caseReference), "The error for steps that were cancelled.")

    private static let discoveryStep = Construct(
        "a step to a certificate", "One step on the way to a certificate.",
        alternatives: ["call", "rounds", "key", "certificate-request", "identity"],
        keys: [
            .init("call", .construct(call), "Sends a request, and takes values out of the JSON that comes back."),
            .init(
                "rounds", .construct(rounds),
                "Asks the application what the server wants to know, as long as it wants to know more."),
            .init("key", .shorthand(.word(keyKinds), or: .construct(key)), "Makes a private key; a word stands for `otherwise`."),
            .init(
                "certificate-request", .construct(certificateRequest),
                """
                Signs a certificate request for the key (PKCS #10): `{generated.certificate_request}` in PEM, and \
                `{generated.certificate_request_base64}`.
                """),
            .init(
                "identity", .text(.textTemplate),
                """
                Makes the identity of the key and a reference's certificates: PEM, or DER in base64, one alone or those of PKCS #7. What \
                comes of it is a PKCS #12 archive.
                """),
            .init(
                "fails", .construct(discoveryFailures), beside: ["call", "rounds", "key", "certificate-request", "identity"],
                "The errors for what can go wrong."),
        ])

    private static let methods = ResolvedProgram.Call.Method.allCases.map(\.key)

    /// What requests have in common.
    ///
    /// - Parameter methods: The keys beside which a body can stand, where not all requests have one.
    private static func exchange(beside methods: [String] = []) -> [Construct.Key] {
        [
            .init(
                "json", .named(.configurationKey, key: "the member's name", .text(.textTemplate)), beside: methods,
                "The members of the JSON object that is sent, all texts; what is absent or empty is left out."),
            .init(
                "form", .named(.configurationKey, key: "the name", .text(.textTemplate)), beside: methods,
                "The form that is sent, as browsers encode it; what is absent or empty is left out."),
            .init(
                "body", .word([.init("certificate-request", "The certificate request as `application/pkcs10` (RFC 5967).")]),
                beside: methods, "What else is sent."),
            .init("status", .oneOrList(of: .text(.status)), default: "200", "The statuses that say that it went well."),
            .init(
                "capture", .named(.memberName, key: "the slot's name", .shorthand(.text(.capturePointer), or: .construct(capture))),
                "What is taken out of the answer: `subject: /subject` makes `{captured.subject}`; `body` takes all of it."),
            .init("message", .text(.pointer), "Where another answer says why."),
        ]
    }

    private static let call = Construct(
        "a call", "A request, and what is taken out of the JSON that comes back.", alternatives: methods,
        keys: ResolvedProgram.Call.Method.allCases.map { method in
            .init(method.key, .text(.urlTemplate), "Sends \(method.rawValue) to this URL.")
        } + exchange(beside: ["post", "put"]))

    private static let capture = Construct(
        "a captured value", "A text of the answer, or a list of texts.",
        keys: [
            .init("at", .text(.capturePointer), required: true, "Where it is; `body` for all of it."),
            .init("optional", .text(.boolean), default: "false", "Whether it can be absent."),
        ])

    private static let rounds = Construct(
        "rounds of input",
        "What the server's last answer asks for goes to the application, and what that says to the server, until it asks for no more.",
        keys: [
            .init("page", .construct(page), required: true, "How an answer says what it asks for."),
            .init("post", .text(.urlTemplate), required: true, "Where the values are sent."),
            .init(
                "values", .text(.configurationKey), beside: ["json"],
                "The member of the JSON object that has them, by their names; in a `form` they stand beside what it has."),
            .init("limit", .text(.count), default: "10", "The most rounds."),
            .init(
                "within", .text(.duration), default: "120s",
                "How long one answer of the application may take; the session's limit for logins holds for all of them together."),
        ] + exchange())

    private static let page = Construct(
        "a page of input",
        "Where an answer says what it asks for. There are rounds as long as `fields` leads to a list, be it empty.",
        keys: [
            .init("fields", .text(.pointer), required: true, "The list of the fields."),
            .init("name", .text(.pointer), required: true, "In a field: the name that its value is sent under."),
            .init("prompt", .text(.pointer), "In a field: what the user reads."),
            .init("preset", .text(.pointer), "In a field: the value that is there already."),
            .init("type", .text(.pointer), "In a field: how it is typed."),
            .init("hidden", .text(.configurationKey), beside: ["type"], "The type of fields that show no letters."),
            .init("confirms", .text(.pointer), "In a field: the name of another that has to have the same value."),
            .init("message", .text(.pointer), "What the server says."),
            .init("message-type", .text(.pointer), "How it means that: `none`, `information`, `warning` or `error`."),
            .init("disclaimer", .text(.pointer), "What the user has to agree to."),
        ])

    private static let key = Construct(
        "a kind of key", "The kind of a private key.",
        keys: [
            .init("kind", .text(.textTemplate), "A reference whose value is one of the words; without a value it is `otherwise`."),
            .init("otherwise", .word(keyKinds), required: true, "The kind."),
        ])

    private static let keyKinds = ResolvedKey.Kind.allCases.map { kind in
        switch kind {
        case .p256: ValueShape.Word(kind.rawValue, "ECDSA on the curve P-256.")
        case .rsa2048: ValueShape.Word(kind.rawValue, "RSA of 2048 bits.")
        }
    }

    private static let certificateRequest = Construct(
        "a certificate request", "The subject that the certificate is for.",
        keys: [
            .init("subject", .text(.textTemplate), "A distinguished name as RFC 4514 writes it: a text, or a reference alone."),
            .init("dns", .text(.textTemplate), "Names of hosts: a list, or a text with commas between them."),
            .init("email", .text(.textTemplate), "E-mail addresses, in the same way."),
        ])

    private static let discoveryFailures = Construct(
        "failures of a step to a certificate", "The errors for what can go wrong.",
        keys: DiscoveryFailure.allCases.map { failure in
            .init(failure.rawValue, .text(.caseReference), failure.summary)
        })
}

extension DiscoveryFailure {
    fileprivate var summary: String {
        switch self {
        case .status:
            "`call`, `rounds`: another status; the case can carry the `status-code`, and the server's `message` as `string`."
        case .network: "`call`, `rounds`: no answer; the case can carry an `error`. Without a case, the error itself is thrown."
        case .missing: "`call`, `rounds`: the answer is no JSON, or lacks what has to be captured; the case can carry a `string`."
        case .refused:
            "`rounds`: the application gave an error instead of values; the case can carry an `error`. Without a case, the error itself is thrown."
        case .late: "`rounds`: the application took longer than `within`."
        case .endless: "`rounds`: the server asked more often than `limit`."
        case .name: "`certificate-request`: the subject or a name is none; the case can carry a `string`."
        case .key: "`key`: an unknown kind, or no key could be made. `certificate-request`: it could not sign."
        case .certificate: "`identity`: there is no certificate in what came; the case can carry a `string`."
        case .mismatch: "`identity`: no certificate is the key's, or it is not valid; the case can carry a `string`."
        }
    }
}
