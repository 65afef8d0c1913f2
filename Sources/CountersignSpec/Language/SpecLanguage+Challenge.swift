extension SpecLanguage {
    static let challenge = Construct(
        "a challenge", "A pattern for a challenge. All its conditions must hold.",
        keys: [challengeNameKey] + responseKeys + [
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
                "The authentication scheme that a proxy offers. A text is short for `scheme`."),
            .init(
                "tls",
                .word([
                    .init(
                        "client-certificate",
                        "The server aborts the handshake because a client certificate is missing or not accepted.")
                ]), "A refused TLS connection in place of a response."),
            .init(
                "when", .named(.memberName, key: "a parameter", .word(parameterWords)), default: "always",
                "The conditions under which the pattern is used. All must hold."),
            .init(
                "capture", .named(.memberName, key: "the value's name", .construct(capture)),
                "The values to capture, for references like `{challenge.realm}`."),
            .init(
                "example", .text(.anyText),
                "A real response with this challenge, without secrets: the status line, the header fields, an empty line and the body. The page of the method shows it. Its status, header fields and schemes are compared with the challenge."
            ),
        ])

    static let challengeNameKey = Construct.Key(
        "name", .text(.label), required: true, "The name in logs and documentation.")

    static let statusKey = Construct.Key(
        "status", .oneOrList(of: .text(.status)), default: "any", "The statuses.")

    /// The keys of conditions on a response.
    static let responseKeys: [Construct.Key] = [
        statusKey,
        .init(
            "headers", .named(.fieldName, key: "the header field", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The required header fields: `present` for any value, `absent` if the response must not have the field, another text for the whole value. A challenge with only absent fields also needs a status. A name can be a whole reference to a parameter of type `header`. A `prefix` of `Location` is compared as a URL, whether the server sends a relative or an absolute one."
        ),
        // Servers may offer schemes in any response, including a successful one (RFC 9110, section 11.6.1).
        .init(
            "www-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
            "The authentication scheme that the server offers. A text is short for `scheme`."),
        .init(
            "text", .construct(pattern),
            "A text in the body, with any media type except an event stream. For a challenge, the first 64 KiB are searched, and its status or headers are required, too."
        ),
        .init(
            "json", .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The required values of a JSON body: `present` for any value except `null` and an empty text, also for `false`; `absent` for no value, `null` or an empty text; another text for the whole value, such as `true` or `17`. The name `*` matches any item of a list. A body that is not JSON does not match. A form (`application/x-www-form-urlencoded`) is read as an object of texts. The body of a challenge has at most 64 KiB and must not be an event stream."
        ),
        .init(
            "xml",
            .named(
                .elementPath, key: "the path of an element or an attribute, by local names",
                .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The required texts of an XML body without a document type: `present` for an existing element or attribute, `absent` for a missing one, another text for the whole value. A body that is not XML does not match. The body of a challenge has at most 64 KiB."
        ),
        .init(
            "cookies",
            .shorthand(
                .word([.init("present", "The response sets a cookie with any name.")]),
                or: .named(.token, key: "the cookie's name", .shorthand(.text(.textTemplate), or: .construct(pattern)))),
            "The cookies that the response sets: `present` for any value, `absent` for none with this name, another text for the whole value. Deleted cookies, and those that the server may not set, do not count."
        ),
    ]

    private static let scheme = Construct(
        "an authentication scheme", "An authentication scheme that the response offers, possibly among others.",
        keys: [
            .init("scheme", .text(.token), required: true, "The case-insensitive name of the scheme."),
            .init(
                "parameters",
                .named(.token, key: "the parameter's name", .shorthand(.text(.textTemplate), or: .construct(pattern))),
                "The required parameters, unquoted: `present` for any value, `absent` if the scheme must not have the parameter, another text for the whole value."
            ),
        ])

    static let pattern = Construct(
        "a match", "A condition on a value or a part of it.", alternatives: ["prefix", "contains", "any-case", "equals"],
        keys: [
            .init("prefix", .text(.textTemplate), "The value begins with this."),
            .init("contains", .text(.textTemplate), "The value contains this."),
            .init(
                "any-case", .text(.textTemplate),
                "The value equals this, ignoring case, like a `token_type` (RFC 6749, section 5.1)."),
            .init(
                "equals", .text(.textTemplate),
                "The value equals this. Only needed for the texts `present` and `absent`, which otherwise are words."),
        ])

    private static let capture = Construct(
        "a capture", "A value of a challenge.", alternatives: captureSources,
        keys: captureKeys(types: [.string, .url, .clock, .xml]))

    /// The keys that specify the source of a value.
    static let captureSources = ["header", "parameter", "json", "cookie", "input", "xml"]

    /// Returns the keys that specify the conversion of a text.
    ///
    /// - Parameter types: The types to which the text can be converted.
    static func valueKeys(types: [ProgramType]) -> [Construct.Key] {
        captureKeys(types: types).filter { ["type", "default", "optional"].contains($0.name) }
    }

    /// - Parameter types: The types to which the value can be converted.
    static func captureKeys(types: [ProgramType]) -> [Construct.Key] {
        [
            .init(
                "json", .oneOrList(of: .text(.pointer)),
                "The JSON pointer of the value in a JSON body. Of several, the first with a value is used. The name `*` matches any item of a list, or one that `where` chooses; the first with a text is used, and for a `url` the first at one of the origins of `within`."
            ),
            .init(
                "where",
                .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
                beside: ["json"],
                "The conditions on the item of a list that has the value, like those under `json` of a response. The pointers begin like that of the value, and what they have in common, up to the last `*`, is the same item: `{ json: /sites/*/id, where: { /sites/*/url: \"{site}\" } }` is the `id` of the site with this `url`."
            ),
            .init("cookie", .text(.token), "The cookie with the value, set by the response."),
            .init(
                "input", .text(.textTemplate),
                "The name of the `input` element with the value in an HTML body, such as a hidden field of a form."),
            .init(
                "xml", .text(.elementPath),
                "The path of the value in an XML body, by local names: the text of the first such element, or of an attribute."),
            .init("header", .text(.token), "The header field with the value."),
            .init("parameter", .text(.token), "The parameter of the authentication scheme with the value."),
            .init("type", .word(types.map(captureWord)), default: "string", "The type of the value."),
            .init(
                "within", .list(of: .text(.textTemplate)), beside: ["type"],
                "The allowed origins of a `url`: `{request.url.origin}` for the origin of the response, and whole references to parameters of type `origins` or `url`."
            ),
            .init(
                "elsewhere", .word([.init("absent", "The value is absent.")]), default: "the login ends", beside: ["within"],
                "The effect of an optional URL at another origin."),
            .init(
                "encoding",
                .word([.init("base64", "Base64 or Base64url (RFC 4648), with or without padding.")]), default: "none",
                "The encoding of the text, which is decoded."),
            .init(
                "is", .text(.anyText), default: "true", beside: ["type"],
                "The value for which a `boolean` is true. The name `*` in the pointer matches any item of a list."),
            .init(
                "strict", .text(.boolean), default: "false", beside: ["type"],
                "Whether a `boolean` must be JSON `true` or `false`, and otherwise the response does not match. By default, any other value is false."
            ),
        ]
            + (types.contains(.duration) ? [unitKey] : [])
            + [
                .init("default", .text(.anyText), "The value if there is none."),
                .init(
                    "optional", .text(.boolean), default: "false",
                    "Whether the response matches without the value."),
            ]
    }

    private static let unitKey = Construct.Key(
        "unit",
        .word([
            .init("ms", "Milliseconds."), .init("s", "Seconds."), .init("m", "Minutes."), .init("h", "Hours."),
        ]), default: "s", beside: ["type"],
        "The unit in which the server states a `duration`.")

    private static func captureWord(_ type: ProgramType) -> ValueShape.Word {
        let summary =
            switch type {
            case .string: "Any text."
            case .secret: "A text that is redacted in descriptions and logs."
            case .url:
                "A URL at one of the origins of `within`: `https`, or `http` on this machine. In a header field, it can be relative (RFC 9110, section 10.2.2)."
            case .duration:
                "A number of seconds, or of another `unit`. `default` is a duration with a unit, such as `60s`, `15m` or `1h`."
            case .date:
                "A point in time (RFC 3339, an HTTP date, or seconds since 1970), converted to the time from the response's `Date`; unchanged as a result of an operation."
            case .clock: "The server's time, converted to the offset of its clock; only for signatures."
            case .texts: "The texts of a list, or a single text: unchanged, with line breaks, and up to the size limit of a body."
            case .json: "The whole body, for a prompt with `page`."
            case .xml:
                "An element as it was sent, with its namespace declarations, for the `xml` of a request: signatures stay valid."
            case .boolean: "Whether the value is `true`, or the value of `is`; false if it is absent. For `when`."
            case .header, .origins, .cookies, .scopes, .identity, .requestHandler, .privateKey, .certificateRequest,
                .answers:
                ""
            }
        return ValueShape.Word(type.rawValue, summary)
    }
}
