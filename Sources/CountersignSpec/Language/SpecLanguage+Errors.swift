extension SpecLanguage {
    static let errorsKey = Construct.Key(
        "errors", .named(.memberName, key: "the case's name", .construct(errorCase)),
        "What the method can end in, beside the errors of the runtime.")

    static let failuresKey = Construct.Key(
        "failures", .construct(failures), beside: ["errors"], "The errors for what can go wrong, whichever step it is.")

    private static let failures = Construct(
        "failures of a method", "The cases of `errors` for what can go wrong.",
        keys: ResolvedProgram.Failure.allCases.map { .init($0.word, .text(.caseReference), $0.summary) })

    /// - Parameter actions: What can go wrong.
    static func stepFailuresKey(beside actions: [String]) -> Construct.Key {
        .init("failures", .construct(stepFailures), beside: actions, "The cases of `errors` for what can go wrong.")
    }

    /// Whether a word is one of the `failures` of a step, whichever that is.
    static func isStepFailure(_ word: String) -> Bool { stepFailures.key(word) != nil }

    private static let stepFailures = Construct(
        "failures of a step",
        "The cases of `errors` for what can go wrong; those of `repeat` are for all steps in it that name none.",
        keys: merged(
            [ResolvedProgram.Failure.cancelled, .missing, .unusable].map { ($0.word, "`prompt` with `fields`: \($0.summary)") }
                + ResolvedProgram.Page.Failure.allCases.filter { $0 != .missing && $0 != .server }.map {
                    ($0.rawValue, "`present`: \($0.programSummary)")
                } + [
                    (
                        ResolvedProgram.TokenCall.Failure.server.rawValue,
                        "`present` with `until`, and `http` with `oauth2-token`: the server refuses, and says why; the case can carry `server-error`."
                    )
                ]
                + ResolvedProgram.TokenCall.Failure.allCases.filter { $0 != .server }.map {
                    ($0.rawValue, "`http` with `oauth2-token`: \($0.programSummary)")
                } + ResolvedProgram.Step.Failure.allCases.map { ($0.rawValue, $0.summary) }))

    /// A key for each word, with all that it can mean.
    private static func merged(_ words: [(word: String, summary: String)]) -> [Construct.Key] {
        var names: [String] = []
        for word in words.map(\.word) where !names.contains(word) { names.append(word) }
        return names.map { name in
            .init(
                name, .text(.caseReference), words.filter { $0.word == name }.map(\.summary).joined(separator: " "))
        }
    }

    static let errorCase = Construct(
        "an error case", "One way to end.",
        keys: [
            .init("summary", .text(.prose), required: true, "What happened; the error's description."),
            discussionKey,
            .init("reason", .text(.prose), "Why."),
            .init("recovery", .text(.prose), "What to do about it."),
            .init("since", .text(.prose), "The version of the product that brought it."),
            .init(
                "carries",
                .named(
                    .memberName, key: "the value's label",
                    .word([
                        .init("error", "Another error."), .init("string", "A text."), .init("integer", "A whole number."),
                        .init("server-error", "What an authorization server said."),
                        .init("status", "The status of a response, if there was one."),
                        .init("status-code", "The status of the response that the error is about."),
                        .init("response-text", "What may be shown of a response's body, if there was one."),
                        .init("response", "A response, without what must not be shown."),
                        .init("response-data", "What may be shown of a response's body, as bytes."),
                    ])), "Associated values."),
        ])
}

extension ResolvedProgram.Failure {
    /// The word in specs.
    var word: String { self == .invalidArgument ? "invalid-argument" : rawValue }

    fileprivate var summary: String {
        switch self {
        case .cancelled: "The user gives up."
        case .missing: "The application has nothing to answer; or a login page's redirect brings nothing to go on with."
        case .unusable: "What the application answers cannot be used; the case can carry a `string`."
        case .invalidArgument: "A parameter cannot be used; the case carries `detail: string`."
        case .busy: "An authentication is started by hand while another runs."
        }
    }
}

extension ResolvedProgram.Page.Failure {
    fileprivate var programSummary: String {
        switch self {
        case .dismissed: "the page is closed before the login ends."
        case .load: "the page cannot be shown; the case carries an `error`."
        case .refused: "the page is shown and refuses what was entered; without a case it is that of `load`."
        case .reloaded: "the page is loaded anew."
        case .background: "the application is in the background, where no page can be shown."
        case .server, .missing: ""
        }
    }
}

extension ResolvedProgram.TokenCall.Failure {
    fileprivate var programSummary: String {
        switch self {
        case .server: ""
        case .status: "another status without an explanation; the case can carry `error`, `status` and `response-text`."
        case .network: "no connection; the case can carry the same."
        case .noResponse: "no whole response; the case can carry the same."
        case .decode: "a response that is no token; the case can carry a `string`, the `response` and `response-data`."
        }
    }
}

extension ResolvedProgram.Step.Failure {
    fileprivate var summary: String {
        switch self {
        case .status:
            "`http`, `verify`: another status; the case can carry the `status-code`, and the server's `message` as a `string`."
        case .network: "`http`, `verify`: no answer; the case can carry an `error`. Without a case, the error itself is thrown."
        case .missing: "`http`, `verify`: an answer that lacks what has to be captured; the case can carry a `string`."
        case .refused:
            "`prompt` with `page`: the application gives an error instead of values; the case can carry an `error`. Without a case, the error itself is thrown."
        case .late: "`prompt` with `page`: the application takes longer than `within`."
        case .endless: "`repeat`: the steps would run more often than `limit`."
        case .name: "`certificate-request`: the subject or a name is none; the case can carry a `string`."
        case .key: "`private-key`: an unknown kind, or no key could be made. `certificate-request`: it could not sign."
        case .certificate: "`identity`: there is no certificate in what came; the case can carry a `string`."
        case .untrusted:
            "`verify`: the token is none that its issuer's keys have signed, has expired, or says something else than it has to; the case can carry a `string`."
        case .mismatch: "`identity`: no certificate is the key's, or it is not valid; the case can carry a `string`."
        }
    }
}
