// The rules for challenges to requests with a credential.

extension SpecLanguage {
    static let rejection = Construct(
        "a rejection", "A rule for a challenge to a request with the credential.",
        keys: [
            .init("challenge", .text(.label), default: "any", "The name of the challenge."),
            .init(
                "then",
                .list(
                    of: .word([
                        .init(
                            "resend",
                            "The credential is updated with the values of the challenge, without a step. Fields without a new value are kept."
                        ),
                        .init("renew", "The steps under `renew` run, if a server has accepted the credential before."),
                        .init("acquire", "The steps under `acquire` run."),
                    ])), default: "the request fails, and the credential stays valid for other requests",
                "The actions: a list with one word, or `[renew, acquire]` to run the second if the first has no result. A rule without it is for a challenge that no other credential of the method could meet."
            ),
            .init(
                "retry", .text(.retries), default: "0",
                "The maximum number of refusals in a row of credentials that no server has accepted. With `keep`, only credentials count that were obtained after a challenge of the same name, since a service can want another scope and then another authentication."
            ),
            .init(
                "keep", .text(.boolean), default: "false",
                "Whether the credential stays valid because only this request needs more, such as another scope. Other requests use it meanwhile, and it is kept if the steps fail."
            ),
            .init("error", .text(.caseReference), "The case of `errors` if no action has a result."),
        ])
}
