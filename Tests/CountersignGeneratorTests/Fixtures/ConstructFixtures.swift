@testable import CountersignSpec

/// Landscapes that have every construct somewhere; each is a golden.
extension ResolvedLandscape {
    /// All types of fields: required, with a default, optional; in configurations, settings and templates.
    static var fieldTypesFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/Fields/Types.yaml")
        var method = ResolvedMethod.minimal("Types", file)
        method.parameters = ResolvedParameters(
            name: file.at(5, "TypesParameters"),
            documentation: Documentation(summary: "All types of fields.", discussion: "Required, with a default, optional."),
            fields: [
                file.field(10, "withDefaultURL", .url, "A URL with a default.", default: "https://login.example/start?a=b"),
                file.field(11, "requiredURL", .url, "A URL."),
                file.field(12, "optionalURL", .url, "A URL or none.", optional: true),
                file.field(13, "requiredText", .string, "A text."),
                file.field(14, "textWithDefault", .string, "A text with a default.", default: "say \"hi\""),
                file.field(15, "optionalText", .string, "A text or none.", optional: true, example: "given"),
                file.field(16, "header", .header, "A header field's name.", default: "X-Challenge"),
                file.field(17, "requiredHeader", .header, "A header field's name."),
                file.field(18, "requiredSecret", .secret, "A secret.", example: "not-a-secret"),
                file.field(19, "optionalSecret", .secret, "A secret or none.", optional: true),
                file.field(20, "requiredFlag", .boolean, "A flag."),
                file.field(21, "flag", .boolean, "A flag with a default.", default: "true"),
                file.field(22, "optionalFlag", .boolean, "A flag or none.", optional: true),
                file.field(23, "requiredCount", .integer, "A number.", example: "7"),
                file.field(24, "count", .integer, "A number with a default.", default: "-3"),
                file.field(25, "optionalCount", .integer, "A number or none.", optional: true),
                file.field(26, "requiredTime", .duration, "A time."),
                file.field(27, "time", .duration, "A time with a default.", default: "5m"),
                file.field(28, "optionalTime", .duration, "A time or none.", optional: true, example: "250ms"),
            ],
            fromSettings: nil,
            configuration: [
                "withDefaultURL", "requiredURL", "optionalURL", "requiredText", "textWithDefault", "optionalText", "header",
                "requiredHeader", "requiredSecret", "optionalSecret", "requiredFlag", "flag", "optionalFlag", "requiredCount",
                "count",
                "optionalCount", "requiredTime", "time",
            ].enumerated().map { (field: file.at(40 + $0, $1), keys: ["types.\($1)", "\($1)"]) })
        method.challenges = [
            ResolvedChallenge(
                name: file.at(70, "all"), statuses: [],
                fields: [
                    (
                        name: file.template(71, "{requiredHeader}"),
                        match: .equals(
                            file.template(
                                71,
                                "\"{requiredText}\" {optionalText} {requiredURL} {optionalURL} {flag} {optionalFlag} {count} {optionalCount} {time}"
                            ))
                    ),
                    (name: file.template(72, "X-{requiredText}"), match: .contains(file.template(72, "{count}"))),
                    (name: file.template(73, "X-Time"), match: .prefix(file.template(73, "{optionalTime}"))),
                ])
        ]
        return .minimal("Fields", methods: [method])
    }

    /// All shapes of URL templates and all ways to compare a URL and a field.
    static var matchesFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/Matches/Matches.yaml")
        var method = ResolvedMethod.minimal("Matches", file)
        method.parameters = ResolvedParameters(
            name: file.at(5, "MatchesParameters"),
            documentation: Documentation(summary: "What the templates refer to."),
            fields: [
                file.field(6, "base", .url, "The base."), file.field(7, "tenant", .string, "The tenant."),
                file.field(8, "hint", .string, "A hint.", optional: true),
                file.field(9, "level", .integer, "A level.", optional: true),
                file.field(10, "redirect", .url, "A URL in a query."),
            ],
            fromSettings: nil, configuration: [])
        method.challenges = [
            ResolvedChallenge(
                name: file.at(20, "present"), statuses: [401, 403],
                fields: [(name: file.template(21, "WWW-Authenticate"), match: .present)]),
            ResolvedChallenge(
                name: file.at(22, "redirect"), statuses: [302, 303],
                fields: [
                    (name: file.template(23, "Location"), match: .prefix(file.template(23, "https://login.contoso.example/"))),
                    (name: file.template(24, "Set-Cookie"), match: .contains(file.template(24, "tenant={tenant};"))),
                    (name: file.template(25, "Server"), match: .equals(file.template(25, "{{not a reference"))),
                ]),
            ResolvedChallenge(name: file.at(26, "status-only"), statuses: [499], fields: []),
        ]
        method.authenticate = [
            file.present(
                30,
                url:
                    "{base}/{tenant}/login?redirect_uri={redirect}&login_hint={hint}&x={tenant}-{level}&empty=&bare&a%20b=c%20d&{tenant}=1",
                finish: "https://done.example/{tenant}?code=1", match: .exact, failures: [(.load, "failed")]),
            file.present(31, url: "https://login.example/fixed?x=1#/route", finish: "{base}{tenant}", match: .path),
            file.present(
                32, url: "{base}?level={level}", finish: "{redirect}",
                failures: [(.dismissed, "failed"), (.load, "failed"), (.reloaded, "failed"), (.background, "failed")]),
        ]
        method.afterResend = [
            file.present(40, url: "{base}", finish: "{redirect}"), .fail(file.at(41, "failed")),
        ]
        return .minimal("Matches", methods: [method])
    }

    /// Error cases with all payloads, and the names that `Optional` has too.
    static var errorsFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/Errors/Errors.yaml")
        var method = ResolvedMethod.minimal("Errors", file)
        method.errors = ResolvedErrorType(
            name: file.at(5, "ErrorsError"), documentation: Documentation(summary: "Every payload.", discussion: "And none."),
            cases: [
                file.errorCase(6, "none", "Nothing carried."),
                file.errorCase(7, "error", "An error.", reason: "Because.", recovery: "Do.", carries: [("error", .error)]),
                file.errorCase(8, "errorAlone", "An error.", carries: [("underlying", .error)]),
                file.errorCase(9, "detail", "A detail.", carries: [("detail", .string)]),
                file.errorCase(10, "detailAndReason", "A detail.", reason: "Because.", carries: [("detail", .string)]),
                file.errorCase(11, "text", "A text that is no detail.", reason: "Because.", carries: [("body", .string)]),
                file.errorCase(12, "number", "A number.", carries: [("status", .integer)]),
                file.errorCase(
                    13, "all", "All of them.",
                    reason: "Because of a reason that is as long as reasons get in specs that explain themselves.",
                    recovery:
                        "Read the reason, which is as long as reasons get in specs that explain themselves, and then do what it says.",
                    since: "1.2", carries: [("status", .integer), ("error", .error), ("body", .string), ("detail", .string)]),
                file.errorCase(14, "shown", "Carries what a presenter gives.", carries: [("error", .error), ("detail", .string)]),
            ])
        method.busy = file.at(20, "none")
        method.invalidArgument = file.at(21, "detail")
        method.authenticate = [
            file.present(
                22, url: "{loginURL}", finish: "{loginURL}",
                failures: [(.background, "none"), (.dismissed, "shown"), (.load, "errorAlone"), (.reloaded, "detailAndReason")])
        ]
        method.afterResend = [.fail(file.at(30, "none"))]
        return .minimal("Errors", methods: [method])
    }

    /// Names that Swift uses itself.
    static var keywordsFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/Keywords/default.yaml")
        var method = ResolvedMethod.minimal("Keywords", file)
        let names = [
            "class", "default", "in", "var", "let", "func", "init", "await", "any", "some", "nil", "throws", "inout", "operator",
            "get",
            "async",
            "unsafe", "consume", "settings", "derived", "configuration", "settingsParameters", "parameters", "failure",
        ]
        method.parameters = ResolvedParameters(
            name: file.at(5, "KeywordsParameters"), documentation: Documentation(summary: "Names that Swift uses itself."),
            fields: [file.field(6, "protocol", .url, "A URL.")]
                + names.enumerated().map { file.field(10 + $0, $1, .string, "A name.") }
                + [file.field(50, "repeat", .secret, "A secret.", optional: true)],
            fromSettings: ([("protocol", "{settings.where}/{settings.self_}")] + names.map { ($0, "{settings.self_}") })
                .enumerated().map {
                    (field: file.at(60 + $0, $1.0), template: file.template(60 + $0, $1.1))
                },
            configuration: names.enumerated().map { (field: file.at(80 + $0, $1), keys: [$1]) })
        method.authenticate = [
            file.present(90, url: "{protocol}/{class}?in={in}", finish: "{protocol}", failures: [(.load, "catch")])
        ]
        method.errors.cases = [
            file.errorCase(91, "catch", "An error.", carries: [("throw", .error)]), file.errorCase(92, "try", "None."),
            file.errorCase(93, "self", "None."), file.errorCase(94, "init", "None."),
            file.errorCase(95, "is", "A detail.", reason: "Because.", carries: [("as", .integer), ("detail", .string)]),
        ]
        method.busy = file.at(96, "self")
        method.invalidArgument = nil
        method.afterResend = [.fail(file.at(97, "init"))]
        method.stem = "default"
        var landscape = ResolvedLandscape.minimal("Public", methods: [method])
        landscape.settings = ResolvedParameters(
            name: file.at(100, "KeywordsSettings"), documentation: Documentation(summary: "Settings."),
            fields: [file.field(101, "where", .url, "The server."), file.field(102, "self_", .string, "A text.")],
            fromSettings: nil, configuration: [])
        landscape.serverField = "where"
        return landscape
    }

    /// Texts that try to leave the place where they are put.
    static var nastyTextsFixture: ResolvedLandscape {
        let file = FixtureFile(path: "Specs/Nasty/Nasty.yaml")
        let nasty = """
            */ /* \\(run()) "quoted" \\" \"\"\" #" \\#(x)
            ``` {{ it.name }} {% for %} \u{2028}public let a = 1\u{2029}\r\nlet b\u{0}\u{7}\u{85}\u{B}x\u{FEFF}\u{202E}drow\u{2066} \u{301}e\u{301} 👩‍👩‍👧 ü
            """
        var method = ResolvedMethod.minimal("Nasty", file)
        method.documentation = Documentation(summary: nasty, discussion: "\n\n  \(nasty)\n\n- Remark: forged\n")
        method.name.location = SourceLocation(file: "Specs/Nasty\nlet x = 1/`Nasty`.yaml", line: 2, column: 9)
        method.parameters?.documentation = Documentation(summary: nasty)
        method.parameters?.fields = [
            ResolvedField(
                name: file.at(6, "loginURL"), type: .url, documentation: Documentation(summary: nasty, discussion: nasty),
                isOptional: false, defaultText: nil, example: file.at(6, "https://x.example/%22?a=\"")),
            file.field(7, "text", .string, nasty, default: nasty),
            file.field(8, "secret", .secret, nasty, optional: true),
        ]
        method.parameters?.configuration = [(field: file.at(9, "text"), keys: [nasty, ""])]
        method.challenges = [
            ResolvedChallenge(
                name: file.at(10, nasty), statuses: [200],
                fields: [(name: file.template(11, "X-{text}"), match: .equals(file.template(11, "\(nasty){text}\u{301}\"")))],
                schemes: [
                    ResolvedScheme(
                        field: .proxyAuthenticate, name: file.at(11, nasty),
                        parameters: [(name: file.at(11, nasty), match: .contains(file.template(11, "\(nasty){text}")))])
                ])
        ]
        method.errors.cases = [
            file.errorCase(12, "failed", nasty, reason: nasty, recovery: nasty, since: nasty, carries: [("error", .error)])
        ]
        method.authenticate = [
            file.present(13, url: "{loginURL}/\"\\(x)?\"=\\(y)\"{text}", finish: "{loginURL}", failures: [(.load, "failed")])
        ]
        method.busy = nil
        method.afterResend = []
        method.mock.sessionCookie = nasty
        var landscape = ResolvedLandscape.minimal("Nasty", methods: [method])
        landscape.documentation = Documentation(summary: nasty, discussion: nasty)
        landscape.loggingPrefix = nasty
        return landscape
    }

    /// A landscape that extends another, overrides a challenge and omits a method.
    static var overlayFixture: ResolvedLandscape {
        get throws {
            let file = FixtureFile(path: "Specs/Contoso/landscape.yaml")
            var landscape = try ResolvedLandscape.samlFixture
            landscape.name = file.at(2, "Contoso")
            landscape.documentation = Documentation(summary: "Contoso's landscape.")
            landscape.methods[0].challenges = [
                ResolvedChallenge(
                    name: file.at(7, "redirect-to-idp"), statuses: [302, 303],
                    fields: [
                        (name: file.template(9, "Location"), match: .prefix(file.template(9, "https://login.contoso.example/")))
                    ])
            ]
            landscape.omittedStems = ["OTP"]
            return landscape
        }
    }
}

extension ResolvedLandscape {
    static func minimal(_ name: String, methods: [ResolvedMethod]) -> ResolvedLandscape {
        let file = FixtureFile(path: "Specs/\(name)/landscape.yaml")
        return ResolvedLandscape(
            name: file.at(2, name), documentation: Documentation(summary: "The landscape \(name)."),
            loggingPrefix: "countersign.test",
            imports: [], names: SurfaceNames(), conformances: Conformances(), settings: nil, serverField: nil, methods: methods,
            omittedStems: [])
    }
}

extension ResolvedMethod {
    static func minimal(_ name: String, _ file: FixtureFile) -> ResolvedMethod {
        ResolvedMethod(
            name: file.at(2, name), stem: name, origin: "\(name)/\(name).yaml",
            documentation: Documentation(summary: "The method \(name)."),
            parameters: ResolvedParameters(
                name: file.at(5, "\(name)Parameters"), documentation: Documentation(summary: "Parameters of \(name)."),
                fields: [file.field(6, "loginURL", .url, "The login page.")], fromSettings: nil, configuration: []),
            challenges: [ResolvedChallenge(name: file.at(8, "unauthorised"), statuses: [401], fields: [])],
            credential: .sessionCookies,
            authenticate: [file.present(9, url: "https://login.example/", finish: "https://login.example/done")], afterResend: [],
            errors: ResolvedErrorType(
                name: file.at(10, "\(name)Error"), documentation: Documentation(summary: "Why \(name) failed."),
                cases: [file.errorCase(11, "failed", "It failed.")]),
            busy: nil, invalidArgument: nil, mock: ResolvedMock())
    }

    /// A method whose parameters name no type of Foundation.
    static var bareFixture: ResolvedMethod {
        var method = minimal("Bare", FixtureFile(path: "Specs/Bare/Bare.yaml"))
        method.parameters?.fields = []
        return method
    }
}
