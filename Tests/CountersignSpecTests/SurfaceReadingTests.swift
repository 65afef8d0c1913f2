import CountersignSpec
import TestTurns
import Testing

/// Methods of the surface `foundation`, as the model represents them.
@Suite(.takesTurns) struct SurfaceReadingTests {
    private static func read(_ method: String, landscape: String = ValidSpec.landscape) throws -> ResolvedSurfaceMethod {
        let reading = SpecReader.read(SpecSources(landscape: landscape, method: method))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programMethods.first)
    }

    @Test func `a login that leaves cookies has parameters, of which some follow from the settings`() throws {
        let method = try Self.read(ValidSpec.method)
        let parameters = try #require(method.parameters)
        #expect(parameters.name.value == "WebParameters")
        #expect(parameters.documentation.summary == "The parameters of the method 'Web'.")
        #expect(parameters.fromSettings?.map(\.field.value) == ["loginURL", "doneURL"])
        #expect(parameters.besideSettings.isEmpty)
        #expect(parameters.configuration.map(\.field.value) == ["loginURL"])
        #expect(method.grants.isEmpty && method.prompting == nil && method.labels.isEmpty && !method.logsCompletion)
        #expect(method.program.errors.map(\.name.value) == ["WebError"])
        #expect(method.mock.sessionCookie == "id")
    }

    @Test func `what the settings do not give is asked for beside them, unless it has a default`() throws {
        let method = ValidSpec.method.changing(
            "doneURL: { type: url, from: \"{settings.serverURL}/done\"", to: "doneURL: { type: url, example: \"https://a.example\"")
        #expect(try Self.read(method).parameters?.besideSettings.map(\.value) == ["doneURL"])
        let named = method.changing("mock:", to: "swift: { beside-settings: [headerName, doneURL] }\nmock:")
        #expect(try Self.read(named).parameters?.besideSettings.map(\.value) == ["headerName", "doneURL"])
    }

    @Test func `a method says the names of its Swift`() throws {
        let method = try Self.read(
            ValidSpec.method.changing(
                "mock:",
                to: """
                    factor: second
                    title: The Web
                    swift:
                      parameters: WebLogin
                      labels: [login, using]
                      completion: logged
                      errors: { WebError: [busy, invalid, page], WebEnd: [cancelled, rejected] }
                    mock:
                    """))
        #expect(method.parameters?.name.value == "WebLogin")
        #expect(method.parameters?.documentation.summary == "The parameters of the method 'The Web'.")
        #expect(method.labels.map(\.value) == ["login", "using"])
        #expect(method.logsCompletion && method.isSecondFactor)
        #expect(method.program.errors.map(\.name.value) == ["WebError", "WebEnd"])
        #expect(
            method.program.errors.map { $0.cases.map(\.name.value) } == [["busy", "invalid", "page"], ["cancelled", "rejected"]])
    }

    @Test func `each variant is a way to the token, with parameters of its own`() throws {
        let method = try Self.read(ValidSpec.variants)
        guard case .token = method.kind else {
            Issue.record("expected a token, found \(method.kind)")
            return
        }
        #expect(method.parameters == nil)
        #expect(method.grants.map(\.name.value) == ["code", "ticket", "service"])
        #expect(method.grants.map(\.program.grant) == ["code", "ticket", "service"])
        #expect(method.grants.map(\.parameters.name.value) == ["CodeParameters", "TicketParameters", "ServiceParameters"])
        #expect(method.grants.map(\.parameters.documentation.summary).first == "What a login needs.")
        #expect(method.grants.map(\.labels.count) == [2, 0, 0])
        #expect(method.grants.map(\.next?.value) == [nil, "code", nil])
        #expect(method.grants.map(\.life?.value) == [nil, "90s", nil])
        #expect(method.grants.map { $0.program.renewal != nil } == [true, false, false])
        #expect(method.grants.map(\.program.end.count) == [2, 0, 0])
        #expect(method.program.end.isEmpty)
        #expect(method.grants[2].parameters.initialisers.map(\.emptyText?.value) == ["invalid", nil])
        #expect(method.program.challenges.map(\.name.value) == ["bearer"])
        #expect(method.program.failures.map(\.errorCase.value) == ["cancelled", "invalid"])
    }

    @Test func `what a prompt brings has an observer that asks`() throws {
        let method = try Self.read(ValidSpec.password)
        guard case .prompted = method.kind else {
            Issue.record("expected a prompt, found \(method.kind)")
            return
        }
        #expect(method.parameters == nil)
        #expect(method.prompting?.type.value == "BasicCredentialDiscovery")
        #expect(method.prompting?.label.value == "asking")
        #expect(method.prompting?.standIn == nil && method.prompting?.store == nil)
        #expect(try Self.read(ValidSpec.key).prompting?.standIn?.value == "DefaultAPIKeyCredentialDiscovery")
        let certificate = try Self.read(ValidSpec.certificate)
        #expect(certificate.prompting?.store?.label.value == "keeping")
        #expect(certificate.imports.map(\.value) == ["CountersignIdentity"])
        #expect(certificate.program.challenges.map(\.isRefusedConnection) == [true, false])
    }

    @Test func `a page can be moved on by another application`() throws {
        let method = try Self.read(ValidSpec.callback)
        #expect(method.hasCallback)
        let callback = try #require(method.program.pages.first?.callback)
        #expect(callback.schemeEnding == ".back" && callback.application == "com.example.codes")
        #expect(callback.query.map(\.pageName) == ["code", "user"])
        #expect(method.program.pages.first?.explanations.map(\.status) == [404, 410])
        #expect(method.mock.page == .passcode)
    }

    @Test func `a landscape says the names of its Swift`() throws {
        let reading = SpecReader.read(
            SpecSources(
                landscape: ValidSpec.landscape.changing(
                    "logging: testing",
                    to:
                        "logging: a.b, imports: [Base], settings: Shared, session: Net, session-labels: [net, session], observing: Seeing, conforms: { callbacks: [Opening] }"
                )))
        let landscape = try #require(reading.landscape, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(landscape.loggingPrefix == "a.b")
        #expect(landscape.imports.map(\.value) == ["Base"])
        #expect(landscape.settings?.name.value == "Shared")
        #expect(landscape.names.session == "Net" && landscape.names.sessionLabels == ["net", "session"])
        #expect(landscape.names.observing == "Seeing")
        #expect(landscape.conformances.callbacks == ["Opening"])
        #expect(SpecReader.read(SpecSources()).landscape?.settings?.name.value == "TestingSettings")
    }

    @Test func `an operation can have a setting in the name of what it sends`() throws {
        let steps = "send: \"POST {settings.serverURL}/logout\", form: { \"{settings.region}\": x }"
        let operations = ValidSpec.operations.changing("send: \"POST {settings.serverURL}/logout\"", to: steps)
        let reading = SpecReader.read(SpecSources(landscape: ValidSpec.landscape + operations))
        let logout = try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let program = try #require(logout.versions.first?.program)
        #expect(program.slots.contains { $0.name.value == "settings.region" })
    }

    @Test func `an operation has steps for each of its versions, and slots for the settings that these name`() throws {
        let reading = SpecReader.read(SpecSources(landscape: ValidSpec.landscape + ValidSpec.operations))
        let logout = try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(logout.name.value == "logout" && logout.ends == .userSession)
        let program = try #require(logout.versions.first?.program)
        #expect(program.slots.map(\.name.value) == ["settings.serverURL"])
        let call = try #require(program.calls.first)
        #expect(program.steps.count == 1 && call.method == .post && call.answers.map(\.pattern.statuses) == [[204]])
        #expect(call.url.pieces == [.slot(0), .text("/logout")])
    }
}
