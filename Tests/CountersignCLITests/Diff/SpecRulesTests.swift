import TestTurns
import Testing

@testable import CountersignCLI

/// The rules that say which changes of specs and of generated code are breaking.
@Suite(.computes) struct SpecRulesTests {
    /// An edit of the landscape of the tests, and the changes that it is.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let edits: [DiffBench.Edit]
        let specs: [String]
        let code: [String]

        init(_ description: String, _ edits: [(String, String)], specs: [String] = [], code: [String] = []) {
            testDescription = description
            self.edits = edits.map { DiffBench.Edit($0.0, $0.1) }
            self.specs = specs
            self.code = code
        }
    }

    @Test(arguments: cases)
    func `each edit is listed under the contracts that it breaks`(edit: Case) throws {
        let comparison = try DiffBench.comparison(edit.edits)
        #expect(DiffBench.lines(comparison, [.wire, .spec, .store]).sorted() == edit.specs.sorted())
        #expect(DiffBench.lines(comparison, [.swift]).sorted() == edit.code.sorted())
    }

    @Test func `a value of a closed set can be added, but not removed`() throws {
        let files = try DiffBench.edited(
            DiffBench.files,
            [
                DiffBench.Edit(
                    "type: string\n    default: web",
                    "type: choice\n    values: { web: A browser., app: An application. }\n    default: web")
            ])
        func comparison(_ old: String, _ new: String) throws -> LandscapeComparison {
            try DiffBench.comparison([DiffBench.Edit(old, new)], of: files)
        }
        let all = Set(LandscapeChange.Area.allCases)
        let added = try comparison("app: An application. }", "app: An application., cli: A terminal., kiosk: A kiosk. }")
        #expect(
            DiffBench.lines(added, all).sorted() == [
                "+ spec ParcelSession.parameters.client.values.cli: added",
                "+ spec ParcelSession.parameters.client.values.kiosk: added",
                "+ swift ParcelSessionParameters.Client.cli: is added",
                "+ swift ParcelSessionParameters.Client.kiosk: is added",
            ])
        let renamed = try comparison("app: An application. }", "cli: A terminal. }")
        #expect(
            DiffBench.lines(renamed, all).sorted() == [
                "! spec ParcelSession.parameters.client.values.app: removed",
                "! swift ParcelSessionParameters.Client.app: is removed",
                "+ spec ParcelSession.parameters.client.values.cli: added",
                "+ swift ParcelSessionParameters.Client.cli: is added",
            ])
        let documented = try comparison("app: An application. }", "app: A program. }")
        #expect(documented.changes.isEmpty && documented.documentation == 1)
    }

    @Test func `a value that an extending landscape omits is removed`() throws {
        let base = try DiffBench.edited(
            DiffBench.files,
            [
                DiffBench.Edit(
                    "type: string\n    default: web",
                    "type: choice\n    values: { web: A browser., app: An application., cli: A terminal. }\n    default: web")
            ])
        let old = "countersign: 2\nlandscape: Express\nextends: Parcels\nsummary: Another service.\n"
        let new = old + "methods: { ParcelSession: { parameters: { client: { values: { cli: omitted } } } } }\n"
        let comparison = LandscapeComparison(
            from: try DiffBench.generation([DiffBench.file("Express/landscape.yaml", old)], extending: base),
            to: try DiffBench.generation([DiffBench.file("Express/landscape.yaml", new)], extending: base))
        #expect(
            DiffBench.lines(comparison, Set(LandscapeChange.Area.allCases)).sorted() == [
                "! spec ParcelSession.parameters.client.values.cli: removed",
                "! swift ParcelSessionParameters.Client.cli: is removed",
            ])
    }

    @Test func `a text that becomes a closed set is another type`() throws {
        let comparison = try DiffBench.comparison([
            DiffBench.Edit(
                "type: string\n    default: web",
                "type: choice\n    values: { web: A browser., app: An application. }\n    default: web")
        ])
        #expect(
            DiffBench.lines(comparison, [.wire, .spec, .store]) == [
                "! spec ParcelSession.parameters.client.type: string is now choice"
            ])
        #expect(comparison.breaking.contains { $0.area == .swift && $0.subject == "ParcelSessionParameters.client" })
    }

    @Test func `a parameter's name can contain the word of an initialiser`() {
        let parameters = SwiftParameters(
            from: "public func start(initialURL: URL)", to: "public func start(initialURL: URL, limit: Int = 1)")
        #expect(parameters.isCompatible)
        #expect(parameters.changes == ["parameter 'limit: Int = 1' is added"])
    }

    static let cases: [Case] = [
        Case(
            "a list with one text is the text",
            [
                ("status: 401\n    json", "status: [401]\n    json")
            ]),
        Case(
            "a text is short for its scheme",
            [
                ("www-authenticate: Parcel", "www-authenticate: { scheme: Parcel }")
            ]),
        Case(
            "an explicit default changes nothing",
            [
                ("/token, type: secret }", "/token, type: secret, optional: false }")
            ]),
        Case(
            "values of a response, one of which it can lack",
            [
                (
                    "/token, type: secret }",
                    "/token, type: secret }\n            note: { json: /note, optional: true }\n            kind: { json: /kind }"
                )
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.answers.1.capture.kind: added { json: /kind }",
                "+ wire ParcelSession.acquire.login.http.answers.1.capture.note: added { json: /note, optional: true }",
            ]),
        Case(
            "URLs of a response, one of which must be within its origins",
            [
                (
                    "/token, type: secret }",
                    """
                    /token, type: secret }
                                page: { json: /page, type: url, within: ["{server}"], optional: true }
                                help: { json: /help, type: url, within: ["{server}"], elsewhere: absent, optional: true }
                    """
                )
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.answers.1.capture.page: added { json: /page, type: url, within: "
                    + "[{server}], optional: tru…; a URL at another origin ends the login",
                "+ wire ParcelSession.acquire.login.http.answers.1.capture.help: added { json: /help, type: url, within: "
                    + "[{server}], elsewhere: ab…",
            ]),
        Case(
            "a default of a value that every application had to give",
            [
                (
                    "example: \"https://parcels.example\"\n    summary: The URL of the API, without",
                    "default: \"https://parcels.example\"\n    summary: The URL of the API, without"
                )
            ],
            specs: [
                "+ spec ParcelSession.parameters.server.default: added https://parcels.example"
            ],
            code: [
                "+ swift ParcelSessionParameters.init: parameter 'server: URL' is now "
                    + "'server: URL = GeneratedCodeVersion3.url(\"https://parcels.example\")'"
            ]),
        Case(
            "a challenge before the others",
            [
                ("  - name: no-session\n", "  - { name: any, status: 401 }\n  - name: no-session\n")
            ],
            specs: [
                "! wire ParcelSession.challenge.any: added { name: any, status: 401 }; the first challenge that matches is used"
            ]),
        Case(
            "documentation is only counted",
            [
                ("A session token for a user", "A token for a user")
            ]),
        Case(
            "a condition of a challenge",
            [
                ("status: 403", "status: [401, 403]")
            ],
            specs: [
                "! wire ParcelSession.challenge.expired.status: 403 is now [401, 403]"
            ]),
        Case(
            "a required parameter",
            [
                (
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n",
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n  region: { type: string, summa"
                        + "ry: The region. }\n"
                ),
                (#"X-Tenant: "{tenant?}""#, #"X-Tenant: "{tenant?}", X-Region: "{region}""#),
            ],
            specs: [
                "! spec ParcelSession.parameters.region: added { type: string }; it is required",
                "! store ParcelSession.parameters.region: users sign in once more: credentials are stored under the p"
                    + "arameters that identify them",
                "! wire ParcelSession.acquire.login.http.headers.X-Region: added {region}",
            ],
            code: [
                "! swift ParcelSessionParameters.init: parameter 'region: String' is required",
                "+ swift ParcelSessionParameters.region: is added",
            ]),
        Case(
            "an optional parameter",
            [
                (
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n",
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n  region: { type: string, optio"
                        + "nal: true, summary: The region. }\n"
                ),
                (#"X-Tenant: "{tenant?}""#, #"X-Tenant: "{tenant?}", X-Region: "{region?}""#),
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.headers.X-Region: added {region?}",
                "+ spec ParcelSession.parameters.region: added { type: string, optional: true }",
            ],
            code: [
                "+ swift ParcelSessionParameters.init: parameter 'region: String? = nil' is added",
                "+ swift ParcelSessionParameters.region: is added",
            ]),
        Case(
            "a parameter with a default",
            [
                (
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n",
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n  region: { type: string, defau"
                        + "lt: eu, summary: The region. }\n"
                ),
                (#"X-Tenant: "{tenant?}""#, #"X-Tenant: "{tenant?}", X-Region: "{region}""#),
            ],
            specs: [
                "! store ParcelSession.parameters.region: users sign in once more: credentials are stored under the p"
                    + "arameters that identify them",
                "! wire ParcelSession.acquire.login.http.headers.X-Region: added {region}",
                "+ spec ParcelSession.parameters.region: added { type: string, default: eu }",
            ],
            code: [
                #"+ swift ParcelSessionParameters.init: parameter 'region: String = "eu"' is added"#,
                "+ swift ParcelSessionParameters.region: is added",
            ]),
        Case(
            "a field of the credential that responses replace",
            [
                ("rejected:\n", "update: { token: { header: X-Parcel-Token } }\n\nrejected:\n")
            ],
            specs: [
                "! wire ParcelSession.update: added { token: { header: X-Parcel-Token } }"
            ]),
        Case(
            "a parameter that does not identify credentials any more",
            [
                (
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n",
                    "  tenant: { type: string, optional: true, identifies: false, summary: The tenant. }\n"
                )
            ],
            specs: [
                "! store ParcelSession.parameters.tenant.identifies: users sign in once more: credentials are stored u"
                    + "nder the parameters that identify them"
            ]),
        Case(
            "a new parameter that does not identify credentials",
            [
                (
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n",
                    "  tenant: { type: string, optional: true, summary: The tenant. }\n  region: { type: string, defau"
                        + "lt: eu, identifies: false, summary: The region. }\n"
                ),
                (#"X-Tenant: "{tenant?}""#, #"X-Tenant: "{tenant?}", X-Region: "{region}""#),
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.headers.X-Region: added {region}",
                "+ spec ParcelSession.parameters.region: added { type: string, default: eu, identifies: false }",
            ],
            code: [
                #"+ swift ParcelSessionParameters.init: parameter 'region: String = "eu"' is added"#,
                "+ swift ParcelSessionParameters.region: is added",
            ]),
        Case(
            "a removed parameter",
            [
                ("  tenant: { type: string, optional: true, summary: The tenant. }\n", ""),
                (#", X-Tenant: "{tenant?}""#, ""),
            ],
            specs: [
                "! spec ParcelSession.parameters.tenant: removed { type: string, optional: true }",
                "! store ParcelSession.parameters.tenant: users sign in once more: credentials are stored under the p"
                    + "arameters that identify them",
                "! wire ParcelSession.acquire.login.http.headers.X-Tenant: removed {tenant?}",
            ],
            code: [
                "! swift ParcelSessionParameters.init: parameter 'tenant: String? = nil' is removed",
                "! swift ParcelSessionParameters.tenant: is removed",
            ]),
        Case(
            "another default",
            [
                ("default: web", "default: app")
            ],
            specs: [
                "! store ParcelSession.parameters.client.default: users sign in once more: credentials are stored und"
                    + "er the parameters that identify them",
                "! wire ParcelSession.parameters.client.default: web is now app; applications that give no value send"
                    + " another one",
            ],
            code: [
                #"+ swift ParcelSessionParameters.init: parameter 'client: String = "web"' is now 'client: String = "app"'"#
            ]),
        Case(
            "a removed default",
            [
                ("    default: web\n", "")
            ],
            specs: [
                "! spec ParcelSession.parameters.client.default: removed web; the value has no default any more",
                "! store ParcelSession.parameters.client.default: users sign in once more: credentials are stored und"
                    + "er the parameters that identify them",
            ],
            code: [
                #"! swift ParcelSessionParameters.init: parameter 'client: String = "web"' is now 'client: String'"#
            ]),
        Case(
            "a parameter that becomes required",
            [
                ("optional: true, summary: The tenant", "summary: The tenant"),
                ("{tenant?}", "{tenant}"),
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.headers.X-Tenant: {tenant?} is now {tenant}",
                "! spec ParcelSession.parameters.tenant.optional: removed true; the value is required",
            ],
            code: [
                "! swift ParcelSessionParameters.init: parameter 'tenant: String? = nil' is now 'tenant: String', the"
                    + " parameters have another order",
                "! swift ParcelSessionParameters.tenant: 'public var tenant: String?' is now 'public var tenant: String'",
            ]),
        Case(
            "a parameter that becomes optional",
            [
                ("    default: web\n", "    optional: true\n"),
                (#""{client}""#, #""{client?}""#),
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.headers.X-Client: {client} is now {client?}",
                "! spec ParcelSession.parameters.client.default: removed web; the value has no default any more",
                "! store ParcelSession.parameters.client.default: users sign in once more: credentials are stored und"
                    + "er the parameters that identify them",
                "+ spec ParcelSession.parameters.client.optional: added true",
            ],
            code: [
                "! swift ParcelSessionParameters.client: 'public var client: String' is now 'public var client: String?'",
                #"! swift ParcelSessionParameters.init: parameter 'client: String = "web"' is now 'client: String? = nil'"#,
            ]),
        Case(
            "a parameter that becomes secret",
            [
                ("type: string, optional", "type: secret, optional")
            ],
            specs: [
                "! spec ParcelSession.parameters.tenant.type: string is now secret",
                "! store ParcelSession.parameters.tenant.type: users sign in once more: credentials are stored under "
                    + "the parameters that identify them",
            ],
            code: [
                "+ swift ParcelSessionParameters.visibleParts: is added",
                "+ swift ParcelSessionParameters: ReducedDescription: is added",
            ]),
        Case(
            "a URL that may be http",
            [
                ("    summary: The URL of the API, w", "    allow-http: true\n    summary: The URL of the API, w")
            ],
            specs: [
                "! spec ParcelSession.parameters.server.allow-http: added true"
            ]),
        Case(
            "a renamed challenge",
            [
                ("name: no-session", "name: missing-session")
            ],
            specs: [
                "! spec ParcelSession.challenge.missing-session.name: no-session is now missing-session; extending la"
                    + "ndscapes use the name"
            ]),
        Case(
            "a removed challenge",
            [
                ("  - { name: expired, status: 403, www-authenticate: Parcel }\n", ""),
                ("  - { challenge: expired, then: [acquire] }\n", ""),
            ],
            specs: [
                "! wire ParcelSession.challenge.expired: removed { name: expired, status: 403, www-authenticate: Parcel }",
                "! wire ParcelSession.rejected.1: removed { challenge: expired, then: [acquire] }",
            ]),
        Case(
            "an added challenge",
            [
                (
                    "  - { name: expired, status: 403, www-authenticate: Parcel }\n",
                    "  - { name: expired, status: 403, www-authenticate: Parcel }\n  - { name: gone, status: 410, head"
                        + "ers: { X-A: present } }\n"
                )
            ],
            specs: [
                "+ wire ParcelSession.challenge.gone: added { name: gone, status: 410, headers: { X-A: present } }"
            ]),
        Case(
            "another order of challenges",
            [
                (
                    "  - name: no-session\n    status: 401\n    json: { /error: no_session }\n  - { name: expired, statu"
                        + "s: 403, www-authenticate: Parcel }\n",
                    "  - { name: expired, status: 403, www-authenticate: Parcel }\n  - name: no-session\n    status: 40"
                        + "1\n    json: { /error: no_session }\n"
                )
            ],
            specs: [
                "! wire ParcelSession.challenge.no-session: moved; the first challenge that matches is used"
            ]),
        Case(
            "a last answer",
            [
                (
                    "        - { status: 401, error: server }\n",
                    "        - { status: 401, error: server }\n        - { status: 403, error: server }\n"
                )
            ],
            specs: [
                "+ wire ParcelSession.acquire.login.http.answers.3: added { status: 403, error: server }"
            ]),
        Case(
            "a first answer",
            [
                (
                    "      answers:\n        - status: 200\n",
                    "      answers:\n        - { status: 403, error: server }\n        - status: 200\n"
                )
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.answers.1: added { status: 403, error: server }"
            ]),
        Case(
            "a removed answer",
            [
                ("        - { status: 401, error: server }\n", "")
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.answers.2: removed { status: 401, error: server }"
            ]),
        Case(
            "another header field of the credential",
            [
                (#"X-Parcel-Token: ""#, #"X-Token: ""#)
            ],
            specs: [
                "! store ParcelSession.attach.1.headers.X-Token: users sign in once more: stored credentials are for "
                    + "other header fields",
                "! wire ParcelSession.attach.1.headers.X-Token: added {credential.token}",
                "! store ParcelSession.attach.1.headers.X-Parcel-Token: users sign in once more: stored credentials a"
                    + "re for other header fields",
                "! wire ParcelSession.attach.1.headers.X-Parcel-Token: removed {credential.token}",
            ]),
        Case(
            "a member of the body for the credential",
            [
                (
                    #"X-Parcel-Token: "{credential.token}" }"#,
                    "X-Parcel-Token: \"{credential.token}\" }\n    json: { token: \"{credential.token}\" }"
                )
            ],
            specs: [
                "! store ParcelSession.attach.1.json: users sign in once more: stored credentials are for other membe"
                    + "rs of the body",
                "! wire ParcelSession.attach.1.json: added { token: {credential.token} }",
            ]),
        Case(
            "a query parameter for the credential",
            [
                (
                    #"X-Parcel-Token: "{credential.token}" }"#,
                    "X-Parcel-Token: \"{credential.token}\" }\n    query: { token: \"{credential.token}\" }"
                )
            ],
            specs: [
                "! store ParcelSession.attach.1.query: users sign in once more: stored credentials are for other quer"
                    + "y parameters",
                "! wire ParcelSession.attach.1.query: added { token: {credential.token} }",
            ]),
        Case(
            "methods of the requests with the credential",
            [
                (
                    #"X-Parcel-Token: "{credential.token}" }"#,
                    "X-Parcel-Token: \"{credential.token}\" }\n    methods: [POST, PUT]"
                )
            ],
            specs: [
                "! wire ParcelSession.attach.1.methods: added [POST, PUT]"
            ]),
        Case(
            "a step without its name",
            [
                ("  - name: login\n    http", "  - http")
            ],
            specs: [
                "! spec ParcelSession.acquire.2.name: removed login; extending landscapes use the name"
            ]),
        Case(
            "a step with a name",
            [
                ("  - prompt:", "  - name: ask\n    prompt:")
            ],
            specs: [
                "+ spec ParcelSession.acquire.ask.name: added ask"
            ]),
        Case(
            "another request",
            [
                (#""POST {server}/session""#, #""POST {server}/sessions""#)
            ],
            specs: [
                "! wire ParcelSession.acquire.login.http.send: POST {server}/session is now POST {server}/sessions"
            ]),
        Case(
            "a field of the credential that is not secret",
            [
                ("    token: { type: secret", "    token: { type: string"),
                ("/token, type: secret", "/token"),
            ],
            specs: [
                "+ store ParcelSession.credential.fields.token.type: secret is now string",
                "+ wire ParcelSession.acquire.login.http.answers.1.capture.token.type: removed secret",
            ]),
        Case(
            "a field that requests carry",
            [
                (
                    "    lifetime: { type: duration, summary",
                    "    refresh: { type: secret, summary: The refresh token. }\n    lifetime: { type: duration, summary"
                ),
                (
                    "            lifetime: {",
                    "            refresh: { json: /refresh, type: secret, optional: true }\n            lifetime: {"
                ),
                (#"X-Parcel-Token: "{credential.token}""#, #"X-Parcel-Token: "{credential.token} {credential.refresh?}""#),
            ],
            specs: [
                "! store ParcelSession.credential.fields.refresh: users sign in once more: stored credentials have no 'refresh'",
                "+ wire ParcelSession.acquire.login.http.answers.1.capture.refresh: added { json: /refresh, type: sec"
                    + "ret, optional: true }",
                "! wire ParcelSession.attach.1.headers.X-Parcel-Token: {credential.token} is now {credential.token} {"
                    + "credential.refresh?}",
                "+ spec ParcelSession.credential.fields.refresh: added { type: secret }",
            ],
            code: ["+ swift ParcelSessionCredential.refresh: is added"]),
        Case(
            "another value that separates credentials",
            [
                (#"  for: ["{server}"]"#, #"  for: ["{server}"]\#n  per: ["{tenant?}"]"#)
            ],
            specs: [
                "! store ParcelSession.credential.per: users sign in once more: credentials are stored under these values",
                "! wire ParcelSession.credential.per: added [{tenant?}]",
            ]),
        Case(
            "another protection space",
            [
                (#"  for: ["{server}"]"#, #"  space: servers\#n  for: ["{server}"]"#)
            ],
            specs: [
                "! store ParcelSession.credential.space: users sign in once more: credentials are stored by protection space",
                "! wire ParcelSession.credential.space: added servers",
            ],
            code: [
                "! swift ProgramObserver<ParcelSessionParameters>.credential: parameter 'for url: URL' is removed"
            ]),
        Case(
            "a renamed method",
            [
                ("method: ParcelSession", "method: ParcelToken")
            ],
            specs: [
                "! spec ParcelSession.method: ParcelSession is now ParcelToken",
                "! store ParcelSession.method: users sign in once more: credentials are stored under the method's name",
            ],
            code: [
                "! swift ParcelSessionCredential: is removed",
                "! swift ParcelSessionError: is removed",
                "! swift ParcelSessionObserver: is removed",
                "! swift ParcelSessionParameters: is removed",
                "! swift ParcelSessionPrompting: is removed",
                "+ swift ParcelTokenCredential: is added",
                "+ swift ParcelTokenError: is added",
                "+ swift ParcelTokenObserver: is added",
                "+ swift ParcelTokenParameters: is added",
                "+ swift ParcelTokenPrompting: is added",
            ]),
        Case(
            "a renamed landscape",
            [
                ("landscape: Parcels", "landscape: Parcel")
            ],
            code: [
                "! swift landscape.landscape: Parcels is now Parcel; applications import the module by its name",
                "! swift ParcelsLandscape: is removed",
                "+ swift ParcelLandscape: is added",
            ]),
        Case(
            "an added error",
            [
                ("  broken: {", "  busy: { summary: The server is busy. }\n  broken: {"),
                ("failures: {", "failures: { busy: busy,"),
            ],
            specs: [
                "+ spec ParcelSession.errors.busy: added",
                "! spec ParcelSession.failures.busy: added busy; applications get another error",
            ],
            code: [
                "! swift ParcelSessionError.busy: is added; switches over all cases need it"
            ]),
        Case(
            "a removed error",
            [
                ("  broken: { summary: The response was broken. }\n", ""),
                (", missing: broken", ""),
            ],
            specs: [
                "! spec ParcelSession.errors.broken: removed",
                "! spec ParcelSession.failures.missing: removed broken; applications get another error",
            ],
            code: [
                "! swift ParcelSessionError.broken: is removed"
            ]),
        Case(
            "another error for a failure",
            [
                ("missing: broken", "missing: refused, busy: broken")
            ],
            specs: [
                "! spec ParcelSession.failures.missing: broken is now refused; applications get another error",
                "! spec ParcelSession.failures.busy: added broken; applications get another error",
            ]),
        Case(
            "another limit of refusals",
            [
                ("retry: 2", "retry: 1")
            ],
            specs: [
                "! wire ParcelSession.rejected.2.retry: 2 is now 1"
            ]),
        Case(
            "a request of an operation",
            [
                (#"{server}/logout""#, #"{server}/logout/now""#)
            ],
            specs: [
                "! wire landscape.operations.logout.versions.v1.steps.1.http.send: POST {server}/logout is now POST {"
                    + "server}/logout/now"
            ]),
        Case(
            "another default version of an operation",
            [
                ("      v1:\n", "      v3:\n"),
                ("      v2:\n", "      v1:\n"),
                ("      v3:\n", "      v2:\n"),
            ],
            specs: [
                "! wire landscape.operations.logout.versions.v2: moved; it is the default now, since it is the first",
                "! wire landscape.operations.logout.versions.v2.steps.1.http.send: POST {server}/v2/logout is now POS"
                    + "T {server}/logout",
                "! wire landscape.operations.logout.versions.v1.steps.1.http.send: POST {server}/logout is now POST {"
                    + "server}/v2/logout",
            ],
            code: [
                "+ swift Session.logout: parameter 'version: LogoutVersion = .v1' is now 'version: LogoutVersion = .v2'"
            ]),
        Case(
            "a removed version of an operation",
            [
                (
                    "      v2:\n        summary: The second version.\n        steps:\n          - http:\n              se"
                        + #"nd: "POST {server}/v2/logout"\#n              answers:\#n                - { status: 204 }\#n"#,
                    ""
                )
            ],
            specs: [
                "! wire landscape.operations.logout.versions.v2: removed { steps: [{ http: { send: POST {server}/v2/l"
                    + "ogout, answers:…"
            ],
            code: [
                "! swift LogoutVersion.v2: is removed"
            ]),
        Case(
            "a required parameter of an operation",
            [
                (
                    "        summary: The URL of the API.\n",
                    "        summary: The URL of the API.\n      reason: { type: string, summary: The reason. }\n"
                ),
                (#"send: "POST {server}/logout""#, #"send: "POST {server}/logout"\#n              form: { reason: "{reason}" }"#),
                (
                    #"send: "POST {server}/v2/logout""#,
                    #"send: "POST {server}/v2/logout"\#n              form: { reason: "{reason}" }"#
                ),
            ],
            specs: [
                "! spec landscape.operations.logout.parameters.reason: added { type: string }; it is required",
                "! wire landscape.operations.logout.versions.v1.steps.1.http.form: added { reason: {reason} }",
                "! wire landscape.operations.logout.versions.v2.steps.1.http.form: added { reason: {reason} }",
            ],
            code: [
                "! swift LogoutParameters.init: parameter 'reason: String' is required",
                "+ swift LogoutParameters.reason: is added",
            ]),
    ]
}
