extension SpecLanguage {
    static let errorsKey = Construct.Key(
        "errors", .named(.memberName, key: "the case's name", .construct(errorCase)),
        "The error cases of the method, in addition to the errors of the runtime.")

    static let failuresKey = Construct.Key(
        "failures", .construct(failures), beside: ["errors"], "The error cases for failures of any step.")

    private static let failures = Construct(
        "failures of a method", "The cases of `errors` for failures.",
        keys: ResolvedProgram.Failure.allCases.map { .init($0.word, .text(.caseReference), $0.summary) })

    /// - Parameter actions: The actions that can fail.
    static func stepFailuresKey(beside actions: [String]) -> Construct.Key {
        .init("failures", .construct(stepFailures), beside: actions, "The cases of `errors` for failures.")
    }

    /// Whether a word is a key of `failures` of any step.
    static func isStepFailure(_ word: String) -> Bool { stepFailures.key(word) != nil }

    private static let stepFailures = Construct(
        "failures of a step",
        "The cases of `errors` for failures. Those of `repeat` apply to all its steps without their own.",
        keys: merged(
            [ResolvedProgram.Failure.cancelled, .missing, .unusable].map { ($0.word, "`prompt` with `fields`: \($0.summary)") }
                + ResolvedProgram.Page.Failure.allCases.filter { $0 != .missing && $0 != .server }.map {
                    ($0.rawValue, "`present`: \($0.programSummary)")
                } + [
                    (
                        ResolvedProgram.TokenCall.Failure.server.rawValue,
                        "`present` with `until`, and `http` with `oauth2-token`: an OAuth error response; the case can carry `server-error`."
                    )
                ]
                + ResolvedProgram.TokenCall.Failure.allCases.filter { $0 != .server }.map {
                    ($0.rawValue, "`http` with `oauth2-token`: \($0.programSummary)")
                } + ResolvedProgram.Step.Failure.allCases.map { ($0.rawValue, $0.summary) }))

    /// Returns one key for each word, with all its meanings.
    private static func merged(_ words: [(word: String, summary: String)]) -> [Construct.Key] {
        var names: [String] = []
        for word in words.map(\.word) where !names.contains(word) { names.append(word) }
        return names.map { name in
            .init(
                name, .text(.caseReference), words.filter { $0.word == name }.map(\.summary).joined(separator: " "))
        }
    }

    static let errorCase = Construct(
        "an error case", "An error case of the method.",
        keys: [
            .init("summary", .text(.prose), required: true, "The error's description."),
            discussionKey,
            .init("reason", .text(.prose), "The failure reason."),
            .init("recovery", .text(.prose), "The recovery suggestion."),
            .init("since", .text(.prose), "The version of the product that introduced it."),
            .init(
                "carries",
                .named(
                    .memberName, key: "the value's label",
                    .word([
                        .init("error", "Another error."), .init("string", "A text."), .init("integer", "A whole number."),
                        .init("server-error", "The error response of an authorization server."),
                        .init("status", "The status of a response, if there was one."),
                        .init("status-code", "The status of the response, always present."),
                        .init("response-text", "The printable part of a response's body, if there was a response."),
                        .init("response", "A response without its secrets."),
                        .init("response-data", "The printable part of a response's body, as bytes."),
                    ])), "Associated values."),
        ])
}

extension ResolvedProgram.Failure {
    /// The word in specs.
    var word: String { self == .invalidArgument ? "invalid-argument" : rawValue }

    fileprivate var summary: String {
        switch self {
        case .cancelled: "The user cancels."
        case .missing: "The application has no answer, or a login page's redirect has no usable values."
        case .unusable: "The application's answer is unusable; the case can carry a `string`."
        case .invalidArgument: "A parameter is unusable; the case carries `detail: string`."
        case .busy: "An authentication is started explicitly while another one is running."
        }
    }
}

extension ResolvedProgram.Page.Failure {
    fileprivate var programSummary: String {
        switch self {
        case .dismissed: "the user closes the page before the login ends."
        case .load: "the page cannot be shown; the case carries an `error`."
        case .refused: "the page refuses the user's input; without a case, that of `load` is used."
        case .reloaded: "the user reloads the page."
        case .background: "the application is in the background, where no page can be shown."
        case .server, .missing: ""
        }
    }
}

extension ResolvedProgram.TokenCall.Failure {
    fileprivate var programSummary: String {
        switch self {
        case .server: ""
        case .status: "another status without an OAuth error; the case can carry `error`, `status` and `response-text`."
        case .network: "no connection; the case can carry the same."
        case .noResponse: "no complete response; the case can carry the same."
        case .decode: "a response without a usable token; the case can carry a `string`, the `response` and `response-data`."
        }
    }
}

extension ResolvedProgram.Step.Failure {
    fileprivate var summary: String {
        switch self {
        case .status:
            "`http`, `verify`: an unexpected status; the case can carry the `status-code`, and the server's `message` as a `string`."
        case .network: "`http`, `verify`: no response; the case can carry an `error`. Without a case, the error itself is thrown."
        case .missing: "`http`, `verify`: a response without a value to capture; the case can carry a `string`."
        case .refused:
            "`prompt` with `page`: the application throws an error; the case can carry an `error`. Without a case, the error itself is thrown."
        case .late: "`prompt` with `page`: the application takes longer than `within`."
        case .endless: "`repeat`: the steps would run more often than `limit`."
        case .name: "`certificate-request`: the subject or a name is invalid; the case can carry a `string`."
        case .key:
            "`private-key`: the kind is unknown, or no key could be generated. `certificate-request`: the key could not sign."
        case .certificate: "`identity`: the value contains no certificate; the case can carry a `string`."
        case .untrusted:
            "`verify`: the token is not signed by its issuer, has expired, or has an unexpected claim; the case can carry a `string`."
        case .mismatch: "`identity`: no certificate belongs to the key, or it is not valid; the case can carry a `string`."
        }
    }
}
