extension SpecLanguage {
    static let challenge = Construct(
        "a challenge", "One look of a challenge: all that it names has to agree.",
        keys: [challengeNameKey] + responseKeys + [
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
                "The authentication scheme that a proxy offers; a text stands for `scheme`."),
            .init(
                "tls",
                .word([
                    .init(
                        "client-certificate",
                        "The server ends the handshake because a client certificate is missing, or is not good enough.")
                ]), "No response at all: a connection that the server refuses."),
            .init(
                "when", .named(.memberName, key: "a parameter", .word(parameterWords)), default: "always",
                "When it counts as a challenge: where all of this holds."),
            .init(
                "capture", .named(.memberName, key: "the value's name", .construct(capture)),
                "What it says, for references like `{challenge.realm}`."),
        ])

    static let challengeNameKey = Construct.Key(
        "name", .text(.label), required: true, "What it is called in logs and documentation.")

    static let statusKey = Construct.Key(
        "status", .oneOrList(of: .text(.status)), default: "any", "The statuses that it comes with.")

    /// What a response is compared with.
    static let responseKeys: [Construct.Key] = [
        statusKey,
        .init(
            "headers", .named(.fieldName, key: "the header field", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The header fields that it has: `present` for any value, another text for the whole value. A name can be a whole reference to a parameter of type `header`."
        ),
        // Servers may offer schemes in any answer, also in one that gives what was asked for (RFC 9110, section 11.6.1).
        .init(
            "www-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
            "The authentication scheme that the server offers; a text stands for `scheme`."),
        .init(
            "text", .construct(pattern),
            "What is in the body, whatever its media type but that of an event stream; of a challenge, in its first 64 KiB. Beside a challenge's status or headers."
        ),
        .init(
            "json", .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The values of a JSON body: `present` for any but `null`, another text for the whole value, such as `true` or `17`. A name `*` stands for any item of a list. A form (`application/x-www-form-urlencoded`) is read as an object of texts. A challenge's body has 64 KiB at most, and is no event stream."
        ),
        .init(
            "xml",
            .named(
                .elementPath, key: "the path of an element or an attribute, by local names",
                .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The texts of a body of XML, without a document type: `present` for an element or an attribute that is there, another text for the whole value. A challenge's body has 64 KiB at most."
        ),
        .init(
            "cookies",
            .shorthand(
                .word([.init("present", "It sets a cookie, of whatever name.")]),
                or: .named(.token, key: "the cookie's name", .shorthand(.text(.textTemplate), or: .construct(pattern)))),
            "The cookies that it sets: `present` for any value, another text for the whole value. One that is deleted, or that the server may not set, does not count."
        ),
    ]

    private static let scheme = Construct(
        "an authentication scheme", "A way to authenticate that the response offers, among whatever others.",
        keys: [
            .init("scheme", .text(.token), required: true, "The scheme's name, compared without case."),
            .init(
                "parameters",
                .named(.token, key: "the parameter's name", .shorthand(.text(.textTemplate), or: .construct(pattern))),
                "The parameters that come with it, without their quotes: `present` for any value, another text for the whole value."
            ),
        ])

    static let pattern = Construct(
        "a match", "What a value, or a part of it, has to be.", alternatives: ["prefix", "contains", "any-case"],
        keys: [
            .init("prefix", .text(.textTemplate), "The value begins with this."),
            .init("contains", .text(.textTemplate), "The value has this in it."),
            .init(
                "any-case", .text(.textTemplate),
                "The value is this, in capital or small letters, as a `token_type` can be (RFC 6749, section 5.1)."),
        ])

    private static let capture = Construct(
        "a capture", "A value of a challenge.", alternatives: captureSources,
        keys: captureKeys(types: [.string, .url, .clock, .xml]))

    /// The keys that say where a value is.
    static let captureSources = ["header", "parameter", "json", "cookie", "input", "xml"]

    /// The keys that say what is made of a text.
    ///
    /// - Parameter types: What it can be read as.
    static func valueKeys(types: [ProgramType]) -> [Construct.Key] {
        captureKeys(types: types).filter { ["type", "default", "optional"].contains($0.name) }
    }

    /// - Parameter types: What the value can be read as.
    static func captureKeys(types: [ProgramType]) -> [Construct.Key] {
        [
            .init(
                "json", .oneOrList(of: .text(.pointer)),
                "The place of the value in a body of JSON; of several places, the first that has one counts."),
            .init("cookie", .text(.token), "The cookie that the response sets and that has the value."),
            .init(
                "input", .text(.textTemplate),
                "The name of the `input` in a body of HTML that has the value, such as a hidden one that goes back with a form."),
            .init(
                "xml", .text(.elementPath),
                "The place of the value in a body of XML, by local names: the text of the first such element, or of an attribute."),
            .init("header", .text(.token), "The header field that has the value."),
            .init("parameter", .text(.token), "The parameter of the authentication scheme that has the value."),
            .init("type", .word(types.map(captureWord)), default: "string", "What the value is read as."),
            .init(
                "within", .list(of: .text(.textTemplate)), beside: ["type"],
                "Where a `url` may lead: `{request.url.origin}` for the origin of the response, and whole references to parameters of type `origins` or `url`."
            ),
            .init(
                "elsewhere", .word([.init("absent", "It is as good as none.")]), default: "the login ends", beside: ["within"],
                "What an optional address is that leads elsewhere."),
            .init(
                "encoding",
                .word([.init("base64", "In base64 or base64url (RFC 4648), with padding or without.")]), default: "none",
                "How a text is written, which is taken as what it stands for."),
            .init(
                "is", .text(.anyText), default: "true", beside: ["type"],
                "What the value of a `boolean` has to be. A name `*` in its place stands for any item of a list."),
            .init(
                "strict", .text(.boolean), default: "false", beside: ["type"],
                "Whether a `boolean` has to be there as JSON's `true` or `false`: a response with anything else in its place does not fit. Otherwise anything else is not true."
            ),
            .init("default", .text(.anyText), "What is taken where there is no value."),
            .init(
                "optional", .text(.boolean), default: "false",
                "Whether the response fits without the value; otherwise it does not."),
        ]
    }

    private static func captureWord(_ type: ProgramType) -> ValueShape.Word {
        let summary =
            switch type {
            case .string: "Any text."
            case .secret: "A text that is redacted wherever it could be seen."
            case .url: "An address: `https`, or `http` on this machine, and at one of the origins of `within`."
            case .duration: "A number of seconds; `default` is a length of time with a unit, such as `60s`, `15m` or `1h`."
            case .date:
                "A point in time (RFC 3339, a date of HTTP, or seconds since 1970), counted from the `Date` of the response; as a result of an operation, as it is."
            case .clock: "The server's time, which says how far its clock is ahead; for signatures alone."
            case .texts: "The texts of a list, or the one that there is: as they are, with lines, and as long as a body can be."
            case .json: "The whole body, for a prompt with `page`."
            case .xml:
                "An element as it was written, with the namespaces that it is in, for the `xml` of a request: what signs it stays good."
            case .boolean: "Whether the value is `true`, or what `is` says; anything else, and nothing at all, is not. For `when`."
            case .header, .origins, .cookies, .scopes, .identity, .requestHandler, .privateKey, .certificateRequest,
                .answers:
                ""
            }
        return ValueShape.Word(type.rawValue, summary)
    }
}
