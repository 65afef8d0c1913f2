extension SpecLanguage {
    /// A request of a method's own.
    static let programCall = Construct(
        "a request", "A request of the method's own. It follows no redirect, and observers of the session attach nothing to it.",
        in: .two,
        keys: [
            .init(
                "send", .text(.requestLine), required: true,
                "The method and the URL: a whole reference to a URL, such as `GET {challenge.realm}`; a parameter of type `url` with a path behind it, such as `POST {server}/login`; or a URL as it is."
            ),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                "What is added to the URL's query; no secrets. What is absent is left out."),
            .init(
                "headers", .named(.token, key: "the header field", .text(.textTemplate)),
                "Header fields. What is absent is left out."),
            .init(
                "form", .named(.formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "The form that is the body of a `POST` or `PUT`. What is absent is left out."),
            .init(
                "json", .json,
                "The JSON that is the body of a `POST` or `PUT`. Texts can have references, and what is absent is left out with its name; numbers, `true`, `false` and `null` without quotes are those of JSON."
            ),
            .init("sign", .construct(signature), "A signature by a standard; where a part of it is absent, there is none."),
            .init(
                "answers", .list(of: .construct(answer)), required: true,
                "What is expected in return; the first that fits is taken, and any other response is an error."),
        ])

    private static let answer = Construct(
        "an answer", "One look of the response to a request: all that it names has to agree.", in: .two,
        keys: responseKeys + [
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(answerCapture)),
                "What it fills: fields of the credential without `from`, and values for the steps after it."),
            .init(
                "error", .word([.init("server", "The server refuses the login.")]),
                "What went wrong, if this is the answer; it captures nothing then."),
        ])

    private static let answerCapture = Construct(
        "a capture of an answer", "A value of the response.", in: .two, alternatives: captureSources,
        keys: captureKeys(types: [.string, .secret, .url, .duration, .date]))
}
