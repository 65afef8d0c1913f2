import CountersignSpec

extension BrokenSpec {
    /// A landscape that extends the valid one, with an override of its method.
    fileprivate static func override(
        _ code: DiagnosticCode, _ title: String, _ override: String, of method: String = ValidSpec.method,
        under key: String = "methods", suggests suggestion: String? = nil, says message: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(extending: ValidSpec.extending + "\(key): { Web: \(override) }\n", method: method),
            suggests: suggestion, says: message, alongside: consequences)
    }
}

extension BrokenSpec {
    /// A landscape that extends one with the recipients `{login}` and `{credential.instance}`, with other ones.
    fileprivate static func recipients(_ title: String, _ list: String) -> BrokenSpec {
        let parameter = "parameters: { more: { type: origins, summary: S. } }"
        return BrokenSpec(
            .widenedRecipients, title,
            SpecSources(
                own: [
                    SpecFile(
                        "landscape.yaml",
                        ValidSpec.extending + "methods: { Web: { \(parameter), credential: { for: \(list) } } }\n")
                ],
                inherited: [
                    SpecFile("base/landscape.yaml", ValidSpec.coreLandscape), SpecFile("base/Web.yaml", ValidSpec.recipient),
                ]),
            says: "the inherited method does not send its credential to '{more}'; to add servers, write them under 'append', "
                + "such as for: { append: [\"{more}\"] }")
    }
}

extension BrokenSpecs {
    static let inheritance: [BrokenSpec] = [
        BrokenSpec(
            .unknownLandscape, "what could be inherited is not missing",
            SpecSources(own: [
                SpecFile(
                    "landscape.yaml", "countersign: 2\nlandscape: Extending\nextends: «Testing»\nswift: { surface: foundation }\n"),
                SpecFile("Web.yaml", ValidSpec.method),
            ])),
        BrokenSpec(
            .wrongShape, "a list of landscapes to extend",
            SpecSources(own: [
                SpecFile(
                    "landscape.yaml", "countersign: 2\nlandscape: Extending\nextends: «[»Testing]\nmethods: { Web: omitted }\n")
            ])),
        .override(.unknownWord, "a slip in omitted", "«omited»", suggests: "omitted"),
        BrokenSpec(
            .unknownLandscape, "nothing inherited",
            SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.extending.changing("Testing", to: "«Testing»"))])),
        BrokenSpec(
            .unknownLandscape, "another landscape inherited",
            SpecSources(extending: ValidSpec.extending.changing("Testing", to: "«Tasting»"))),
        BrokenSpec(
            .unknownInheritedOperation, "an operation that is omitted and not there",
            SpecSources(extending: ValidSpec.extending + "operations: { «logout»: omitted }\n")),
        .landscape(
            .methodsWithoutExtends, "methods without extends", "settings:\n", "«methods»: { Web: omitted }\nsettings:\n",
            says: "'methods' overrides inherited methods; without 'extends' there are none"),
        BrokenSpec(
            .unknownInheritedMethod, "a slip in the name of a file",
            SpecSources(extending: ValidSpec.extending + "methods: { «Wep»: omitted }\n"), suggests: "Web"),
        BrokenSpec(
            .extendsChain, "a landscape that extends one that extends",
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending)],
                inherited: [SpecFile("base/landscape.yaml", ValidSpec.landscape + "«extends»: Another\n")])),
        BrokenSpec(
            .inheritedStem, "a file with the name of an inherited one",
            SpecSources(extending: ValidSpec.extending, own: [SpecFile("web.yaml", "«c»" + ValidSpec.otherMethod.dropFirst())])),
        .override(
            .unknownInheritedItem, "an override of a challenge that is not there", "{ challenge: { «logn»: { status: 403 } } }",
            suggests: "login"),
        .override(
            .unknownInheritedItem, "an omitted header field that is not there",
            "{ challenge: { login: { headers: { «X-Other»: omitted } } } }"),
        .override(
            .unknownInheritedItem, "an omitted key that is not there", "{ challenge: { login: { «json»: omitted } } }"),
        .override(
            .unknownKey, "an override of a challenge with a slip", "{ challenge: { login: { «statsu»: 403 } } }", suggests: "status"
        ),
        .override(
            .unknownWord, "a slip in omitted for a challenge", "{ challenge: { login: «omited» } }", suggests: "omitted"),
        .override(
            .wrongShape, "a challenge more that is no list", "{ challenge: { append: «{» name: more, status: 403 } } }"),
        .override(.unknownKey, "an override of what cannot be overridden", "{ «title»: Login }"),
        .override(
            .unknownField, "an override of a parameter that is not there", "{ parameters: { «headername»: { default: X-Other } } }",
            suggests: "headerName", says: "the inherited method has no parameter 'headername'; a new one needs a 'type'"),
        .override(
            .unknownField, "an override of a variant's parameter that is not there",
            "{ variants: { code: { parameters: { «clientt»: { default: a } } } } }", of: ValidSpec.variants, suggests: "client"),
        .override(
            .unknownField, "a parameter of a variant in another one",
            "{ variants: { service: { parameters: { «pageURL»: { example: \"https://a.example\" } } } } }", of: ValidSpec.variants,
            says:
                "the inherited method has no parameter 'pageURL'; a new one needs a 'type'; there are 'tokenURL', 'name', 'secret', 'handler'"
        ),
        .override(
            .unusedParameter, "a new parameter that nothing uses",
            "{ parameters: { «spare»: { type: string, default: a, summary: S. } } }"),
        .override(
            .missingExample, "a new parameter without an example",
            "{ parameters: { «spare»: { type: string, summary: S. } }, challenge: [{ name: a, status: 401, headers: { A: \"{spare}\" } }] }"
        ),
        .override(
            .unknownKey, "an override of a challenge with a mistake",
            "{ challenge: [{ name: a, status: 401, www-authenticate: { «shceme»: Bearer } }] }", suggests: "scheme"),
        .override(
            .unknownErrorCase, "an override with a mistake", "{ failures: { busy: «bussy» } }", suggests: "busy"),
        BrokenSpec(
            .unknownErrorCase, "an inherited mistake",
            SpecSources(extending: ValidSpec.extending, method: ValidSpec.method.changing("busy: busy", to: "busy: «bussy»")),
            suggests: "busy"),
        BrokenSpec(
            .unknownReference, "other settings that lack what an inherited method is made of",
            SpecSources(
                extending: ValidSpec.extending
                    + "settings: { baseURL: { type: url, summary: S. } }\nserver: baseURL\nswift: { settings: OwnSettings }\n",
                method: ValidSpec.method.changing("{settings.serverURL}/login", to: "{«settings.serverURL»}/login")),
            suggests: "settings.baseURL", says: "the settings have no field 'serverURL'", alongside: [.unknownReference]),
        .recipients("a further recipient in place of the inherited ones", #"["{login}", "{credential.instance}", "«{more}»"]"#),
        .recipients("another recipient", #"["«{more}»", "{credential.instance}"]"#),
    ]

    static let overlaps: [BrokenSpec] = [
        BrokenSpec(
            .overlappingChallenges, "two methods with one challenge",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("A.yaml", ValidSpec.method),
                SpecFile(
                    "B.yaml",
                    ValidSpec.otherMethod.changing("status: 403", to: "status: [401, 403]").changing(
                        "name: login", to: "name: «login»")),
            ])),
        BrokenSpec(
            .overlappingChallenges, "two methods with one scheme",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile("A.yaml", ValidSpec.method.changing("status: 401", to: "status: 401\n    www-authenticate: Bearer")),
                SpecFile(
                    "B.yaml",
                    ValidSpec.otherMethod.changing(
                        "status: 403", to: "status: 401\n    www-authenticate: { scheme: bearer, parameters: { error: a } }"
                    ).changing("name: login", to: "name: «login»")),
            ])),
        BrokenSpec(
            .overlappingChallenges, "two methods of the surface 'core' with one challenge",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.coreLandscape), SpecFile("A.yaml", ValidSpec.eager),
                SpecFile(
                    "B.yaml",
                    ValidSpec.eager.changing("method: Web", to: "method: Other").changing("name: refused", to: "name: «refused»")),
            ]),
            says: "a response can match both this challenge and 'refused' of 'Web', such as 401"),
        .landscape(
            .unknownReference, "an overlap with nothing", "swift:", "overlaps: [[Web, «Webb»]]\nswift:", suggests: "Web",
            says: "there is no method 'Webb'"),
        BrokenSpec(
            .unknownReference, "an overlap with nothing, of the surface 'core'",
            SpecSources(core: ValidSpec.coreLandscape + "overlaps: [[«Wbe», Web]]\n", program: ValidSpec.echo), suggests: "Web"),
        .landscape(
            .invalidValue, "an overlap with no other", "swift:", "overlaps: [[«Web»]]\nswift:",
            says: "a group needs at least two methods; add another one, or remove the group"),
        .landscape(.wrongShape, "overlaps without groups", "swift:", "overlaps: [«Web»]\nswift:"),
        .landscape(.emptyCollection, "an empty group", "swift:", "overlaps: [«[»]]\nswift:"),
        .landscape(
            .invalidName, "a group of no names", "swift:", "overlaps: [[Web, «web»]]\nswift:", alongside: [.unknownReference]),
    ]
}
