import Foundation
import TestTurns
import Testing

@testable import CountersignSpec

/// Methods, as the model represents them.
@Suite(.takesTurns) struct ProgramReadingTests {
    private typealias Template = ResolvedProgram.Template

    private static func read(_ program: String) throws -> ResolvedProgram {
        let reading = SpecReader.read(SpecSources(program: program))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programs.first)
    }

    @Test func `the valid methods have no mistake`() throws {
        #expect(try Self.read(ValidSpec.program).name.value == "Web")
        #expect(try Self.read(ValidSpec.echo).name.value == "Web")
        #expect(try Self.read(ValidSpec.steps).name.value == "Web")
        #expect(try Self.read(ValidSpec.recipient).name.value == "Web")
    }

    @Test func `a field of the credential can name the recipient, also one that is not always there`() throws {
        let program = try Self.read(ValidSpec.recipient)
        #expect(program.credential.destinations == [0] && program.credential.recipients == [4])
        let optional = ValidSpec.recipient.changing("[\"{instances}\"] }", to: "[\"{instances}\"], optional: true }")
            .changing("{credential.instance}", to: "{credential.instance?}")
        #expect(try Self.read(optional).credential.recipients == [4])
    }

    @Test func `a landscape has programs, or methods with names in Swift, by its surface`() throws {
        let core = try #require(SpecReader.read(SpecSources(program: ValidSpec.program)).landscape)
        #expect(!core.hasFoundationSurface)
        #expect(core.programs.map(\.stem) == ["Web"])
        #expect(core.programMethods.isEmpty && core.settings == nil)
        let foundation = try #require(SpecReader.read(SpecSources()).landscape)
        #expect(foundation.hasFoundationSurface)
        #expect(foundation.programs.isEmpty && foundation.programMethods.map(\.program.stem) == ["Web"])
    }

    @Test func `slots are parameters, then captures, then fields of the credential, each in the order of the file`() throws {
        let program = try Self.read(ValidSpec.program)
        #expect(
            program.slots.map(\.name.value)
                == ["servers", "tenant", "key", "area", "realm", "nonce", "user", "password", "nonce"])
        #expect(
            program.slots.map(\.source)
                == [.parameter, .parameter, .parameter, .parameter, .challenge, .challenge, .credential, .credential, .credential])
    }

    @Test func `a parameter identifies the stored credential unless it says that it does not`() throws {
        let changed = ValidSpec.program.changing("area: { type: string,", to: "area: { type: string, identifies: false,")
        let program = try Self.read(changed)
        #expect(program.slots.filter { !$0.identifies }.map(\.name.value) == ["area"])
        #expect(program.parameters.filter { !$0.identifies }.map(\.name.value) == ["area"])
        #expect(try Self.read(ValidSpec.program).slots.allSatisfy(\.identifies))
    }

    @Test(arguments: [
        "form: { area: \"{area}\" }", "form: { login_hint: \"{area}\", password: \"{key}\" }", "form: { \"{area}\": user }",
        "json: { user: all, device: { name: \"{area}\" } }", "json: { user: { name: all, domain: { name: \"{area}\" } } }",
    ])
    func `a value of a request that is no user's name need not identify`(body: String) throws {
        let changed = ValidSpec.calls.changing("area: { type: string,", to: "area: { type: string, identifies: false,")
            .changing("form: { area: \"{area}\" }", to: body)
        #expect(try Self.read(changed).slots.filter { !$0.identifies }.map(\.name.value) == ["area"])
    }

    @Test func `what steps find out has the last slots`() throws {
        let slots = try Self.read(ValidSpec.steps).slots.suffix(5)
        #expect(slots.map(\.name.value) == ["expires", "scope", "receipt", "passcode", "next"])
        #expect(slots.map(\.source) == [.credential, .step, .step, .step, .step])
        #expect(slots.map(\.isSecret) == [false, false, true, true, false])
    }

    @Test func `steps have conditions, and JSON has values`() throws {
        let steps = try Self.read(ValidSpec.steps).acquire
        #expect(
            steps.map(\.conditions.count) == [0, 1, 0, 2, 1, 1]
                && steps[3].conditions == [.init(slot: 9, isPresent: true), .init(slot: 5, isPresent: true)])
        guard case .compute(slot: 8, .json(.object(let members))) = steps[1].action, case .http(let call) = steps[2].action,
            case .json(.object(let body)) = call.body
        else { throw ExpectationFailed() }
        #expect(members == [.init(name: Template(pieces: [.text("project")]), value: .text(Template(pieces: [.slot(4)])))])
        #expect(body.map(\.name.pieces) == [[.text("login")], [.text("scope")]] && body[1].value == .value(8))
        #expect(call.answers[0].pattern.captures.map(\.kind) == [.text, .date])
    }

    @Test(arguments: ["true", "false"])
    func `a comparison of texts can be true or false`(result: String) throws {
        let steps = """
              - compute: { isKnown: { same: ["{name}", known] } }
              - when: { isKnown: "\(result)" }
                compute: { label: { join: ["{name}"] } }
              - compute: { key:
            """
        let spec = ValidSpec.bound.changing("  - compute: { key:", to: steps)
            .changing("dpop_jkt: \"{hash?}\"", to: "dpop_jkt: \"{hash?}\", label: \"{label?}\"")
        let program = try Self.read(spec)
        let slot = try #require(program.slots.firstIndex { $0.name.value == "isKnown" })
        #expect(program.acquire[3].conditions == [.init(slot: slot, isPresent: result == "true")])
    }

    @Test func `an encoded text with a secret is a secret`() throws {
        let spec = ValidSpec.steps.changing(
            "passcode: { totp: \"{seed}\" }", to: "passcode: { join: [\"app:\", \"{seed}\"], as: base64 }")
        let program = try Self.read(spec)
        let seed = try #require(program.slots.firstIndex { $0.name.value == "seed" })
        guard case .compute(let slot, .encode(let texts, .base64)) = program.acquire[3].action else { throw ExpectationFailed() }
        #expect(program.slots[slot].isSecret)
        #expect(texts.map(\.pieces) == [[.text("app:")], [.slot(seed)]])
    }

    @Test func `the name of a JSON member can have a parameter`() throws {
        let spec = ValidSpec.steps.changing("  seed: {", to: "  kind: { type: string, default: a, summary: A kind. }\n  seed: {")
            .changing("json: { login: {", to: "json: { \"for {kind}\": {}, \"{}\": a, login: {")
        let program = try Self.read(spec)
        let kind = try #require(program.slots.firstIndex { $0.name.value == "kind" })
        guard case .json(.object(let members)) = program.acquire[2].call?.body else { throw ExpectationFailed() }
        #expect(members.prefix(2).map(\.name.pieces) == [[.text("for "), .slot(kind)], [.text("{}")]])
    }

    @Test func `a page without a code is shown while the server is polled`() throws {
        let spec = ValidSpec.device.changing("code: \"{user}\", complete: \"{whole?}\"", to: "polled: true")
            .changing("            user: { json: /user }\n", to: "")
            .changing("            whole: { json: /whole, type: url, within: [\"{pages}\"], optional: true }\n", to: "")
        guard case .present(let page) = try Self.read(spec).acquire[1].action else { throw ExpectationFailed() }
        let code = try #require(page.code)
        #expect(code.text == nil && code.complete == nil && code.lifetime != nil)
    }

    @Test func `plain scalars in JSON are those of YAML's core schema`() throws {
        let json = "[1, -2.5, 1e3, 007, '1', true, 'true', null, yes, ~, \"\", \"a\\nb\"]"
        let spec = ValidSpec.steps.changing("{ project: \"{project}\" }", to: "{ project: \"{project}\", all: \(json) }")
        guard case .compute(_, .json(.object(let members))) = try Self.read(spec).acquire[1].action,
            case .list(let items) = members[1].value
        else { throw ExpectationFailed() }
        func text(_ text: String) -> ResolvedProgram.JSON { .text(Template(pieces: [.text(text)])) }
        #expect(
            items == [
                .number("1"), .number("-2.5"), text("1e3"), text("007"), text("1"), .flag(true), text("true"), .null, text("yes"),
                text("~"), .text(Template(pieces: [])), text("a\nb"),
            ])
    }

    @Test func `tokens have their claims, and the lifetime of a credential can be stated`() throws {
        let program = try Self.read(ValidSpec.assertion)
        let functions = program.acquire.compactMap(\.computed)
        guard functions.map(\.slot) == [8, 7], case .token(let assertion) = functions[0].function,
            case .token(let own) = functions[1].function
        else { throw ExpectationFailed() }
        func value(_ slot: Int) -> ResolvedProgram.JSON { .text(Template(pieces: [.slot(slot)])) }
        func claim(_ name: String, _ value: ResolvedProgram.JSON) -> ResolvedProgram.JSON.Member {
            .init(name: Template(pieces: [.text(name)]), value: value)
        }
        #expect(
            assertion
                == ResolvedProgram.SignedToken(
                    claims: [
                        claim("iss", value(2)), claim("aud", .list([value(1)])), claim("scope", value(3)),
                        claim("level", .number("2")),
                    ], key: Template(pieces: [.slot(5)]), keyIdentifier: Template(pieces: [.slot(4)]), usesPSS: true,
                    lifetime: 180_000))
        #expect(
            own
                == ResolvedProgram.SignedToken(
                    claims: [claim("iss", value(2))], key: Template(pieces: [.slot(5)]), lifetime: 60_000,
                    clockSkew: 30_000))
        #expect(program.slots.filter(\.isSecret).map(\.name.value) == ["key", "token", "own", "assertion"])
        #expect(program.credential.fixedLifetime == 3_300_000 && program.credential.lifetime == nil)
        #expect(program.signsTokens)
    }

    private struct ExpectationFailed: Error {}

    @Test func `what a challenge says is a secret where a secret is filled with it`() throws {
        let program = try Self.read(ValidSpec.program)
        #expect(program.slots.filter(\.isSecret).map(\.name.value) == ["key", "nonce", "password", "nonce"])
    }

    @Test func `challenges have their conditions and captures`() throws {
        let program = try Self.read(ValidSpec.program)
        #expect(program.challenges.map(\.name.value) == ["login", "stale"])
        #expect(program.challenges.map(\.statuses) == [[401], [403, 419]])
        #expect(program.challenges[0].headers == [.init(name: "X-Area", match: .equals(Template(pieces: [.slot(3)])))])
        #expect(program.challenges.map(\.schemes) == [[.init(name: "Basic", parameters: [])], []])
        #expect(
            program.challenges[0].captures == [
                .init(slot: 4, source: .parameter("realm"), fallback: "", isOptional: false),
                .init(slot: 5, source: .header("X-Nonce"), fallback: nil, isOptional: false),
            ])
        #expect(program.challenges[1].captures.map(\.slot) == [5])
    }

    @Test func `a condition is a word, a text, or a part`() throws {
        let headers =
            "X-A: present, X-B: whole, X-C: { prefix: \"a {area}\" }, X-D: { contains: \"{{\" }, X-E: absent, "
            + "X-F: { equals: absent }"
        let spec = ValidSpec.program.changing("X-Area: \"{area}\"", to: headers)
        #expect(
            try Self.read(spec).challenges[0].headers.map(\.match) == [
                .present, .equals(Template(pieces: [.text("whole")])), .prefix(Template(pieces: [.text("a "), .slot(3)])),
                .contains(Template(pieces: [.text("{")])), .absent, .equals(Template(pieces: [.text("absent")])),
            ])
    }

    @Test func `a scheme can have parameters`() throws {
        let scheme = "www-authenticate: { scheme: Bearer, parameters: { error: invalid_token, scope: present } }"
        let program = try Self.read(ValidSpec.program.changing("www-authenticate: Basic", to: scheme))
        #expect(program.challenges[0].schemes.first?.name == "Bearer")
        #expect(program.challenges[0].schemes.first?.parameters.map(\.name.pieces) == [[.text("error")], [.text("scope")]])
    }

    @Test func `a credential has fields, what it is kept apart by, and servers`() throws {
        let credential = try Self.read(ValidSpec.program).credential
        #expect(credential.fields.map(\.slot) == [6, 7, 8])
        #expect(credential.fields.map(\.value) == [nil, nil, Template(pieces: [.slot(5)])])
        #expect(credential.separators.map(\.pieces) == [[.requestOrigin], [.slot(4)], [.slot(1)]])
        #expect(credential.space == .directory)
        #expect(credential.destinations == [0])
        #expect(try Self.read(ValidSpec.echo).credential.space == .origin)
    }

    @Test func `a credential of the first request needs no challenge, and its field can be the application's to name`() throws {
        let program = try Self.read(ValidSpec.eager)
        #expect(program.credential.isEager)
        #expect(program.attach == [.header(Template(pieces: [.slot(1)]), Template(pieces: [.slot(3)]))])
        let spec = ValidSpec.eager
            .changing("challenge:\n  - name: refused\n    status: 401\n", to: "")
            .changing("rejected:\n  - { then: [acquire], retry: 2 }\n", to: "")
        #expect(try Self.read(spec).challenges.isEmpty)
        #expect(try !Self.read(ValidSpec.eager.changing("eager: true", to: "eager: false")).credential.isEager)
    }

    @Test func `a header field and a parameter can be for requests with some methods`() throws {
        let item = "  - { methods: [POST, PUT], headers: { X-Write: \"{credential.key}\" }, query: { write: \"true\" } }\n"
        let program = try Self.read(ValidSpec.eager.changing("rejected:\n", to: "\(item)rejected:\n"))
        #expect(
            program.attach == [
                .header(Template(pieces: [.slot(1)]), Template(pieces: [.slot(3)])),
                .query(Template(pieces: [.text("write")]), Template(pieces: [.text("true")]), methods: ["POST", "PUT"]),
                .header(Template(pieces: [.text("X-Write")]), Template(pieces: [.slot(3)]), methods: ["POST", "PUT"]),
            ])
    }

    @Test func `prompts, placements and rejections are in the order of the file`() throws {
        let program = try Self.read(ValidSpec.program)
        #expect(program.prompts.map { $0.map(\.slot) } == [[6, 7]])
        #expect(
            program.attach == [
                .header(Template(pieces: [.text("X-Key")]), Template(pieces: [.slot(2)])),
                .header(Template(pieces: [.text("X-Nonce")]), Template(pieces: [.slot(8)])),
                .basic(user: Template(pieces: [.slot(6)]), password: Template(pieces: [.slot(7)])),
            ])
        #expect(
            program.rejections == [
                .init(challenge: "stale", actions: [.acquire], retries: 0), .init(challenge: nil, actions: [.acquire], retries: 2),
            ])
        #expect(try Self.read(ValidSpec.echo).rejections.map(\.actions) == [[.resend], [.resend]])
        let refusal = ValidSpec.program.changing("challenge: stale, then: [acquire] }", to: "challenge: stale }")
        #expect(try Self.read(refusal).rejections.map(\.actions) == [[], [.acquire]])
    }

    @Test func `a value of a challenge that a prompt can show is used`() throws {
        let spec = ValidSpec.program.changing(
            "      nonce: { header: X-Nonce }\n", to: "      nonce: { header: X-Nonce }\n      hint: { header: X-Hint }\n")
        #expect(try Self.read(spec).slots.map(\.name.value).contains("hint"))
    }

    @Test func `texts of settings have no marks and no references of three names`() {
        for reference in ["{settings.serverURL?}", "{settings.server.url}"] {
            let reading = SpecReader.read(
                SpecSources(method: ValidSpec.method.changing("{settings.serverURL}/login", to: "\(reference)/login")))
            #expect(reading.diagnostics.map(\.code) == [.malformedTemplate])
        }
    }

    @Test func `a file of version 1 is one message, and the others are read`() {
        let reading = SpecReader.read(
            SpecSources(own: [
                SpecFile("A.yaml", "countersign: 1\nmethod: A\ncredential: basic\nflow: {}\n"),
                SpecFile("Web.yaml", ValidSpec.echo.changing("rejected:", to: "rejectd:")),
                SpecFile("landscape.yaml", ValidSpec.coreLandscape),
            ]))
        #expect(reading.diagnostics.map(\.code) == [.unsupportedVersion, .unknownKey])
        #expect(reading.diagnostics.map(\.location.file) == ["A.yaml", "Web.yaml"])
    }

    @Test func `without a landscape, that alone is said`() {
        let reading = SpecReader.read(
            SpecSources(own: [SpecFile("A.yaml", ValidSpec.method), SpecFile("Web.yaml", ValidSpec.echo)]))
        #expect(reading.diagnostics.map(\.code) == [.missingLandscape])
    }
}

/// The texts that messages propose.
@Suite(.takesTurns) struct ProgramMessageTests {
    @Test(arguments: [
        ("countersign: 2", "countersign: 1", "this reader supports version 2 of the language, not '1'"),
        (
            "{challenge.realm?}", "{challenge.realm}",
            "'challenge.realm' may be absent; write '{challenge.realm?}' to omit the whole text in that case"
        ),
        ("\"{area}\"", "\"{area?}\"", "'area' is always present; write '{area}'"),
        (
            "\"{area}\"", "\"{tenant?}\"",
            "'tenant' may be absent, and nothing can be compared with it then; give the parameter a default"
        ),
        (
            "\"{key}\"", "\"{challenge.nonce}\"",
            """
            requests can only carry a value of a challenge as a field of the credential; add a field with 'from: "{challenge.nonce}"', \
            and refer to it
            """
        ),
        (
            "from: \"{challenge.nonce}\"", "from: \"{credential.user}\"",
            "'{credential.user}' can only be used under 'attach', 'http', 'expires' and 'for'; there is no credential here yet"
        ),
        ("for: [\"{servers}\"]", "for: [\"{challenge.nonce}\"]", "only parameters can be used here, not values of a challenge"),
        (
            "for: [\"{servers}\"]", "for: [\"{area}\"]",
            "each item of 'for' must be a whole reference to a parameter of type 'origins' or 'url', such as \"{servers}\", or to a field of the credential of type 'url'"
        ),
        ("\"{key}\"", "\"{servers}\"", "'servers' is a list of origins, not a text; use it under 'for' and 'within'"),
        (
            "from: \"{challenge.nonce}\"", "from: hunter2",
            "'nonce' is a secret, but this text would be in the generated code; refer to a parameter of type 'secret'"
        ),
        ("key: { type: secret,", "key: { type: secret, default: hunter2,", "'key' is a secret; a default would be public"),
        (
            "    user: {", "    realm: { type: string, summary: A realm. }\n    user: {",
            "nothing sets 'realm'; add 'from', or set it in a step under 'acquire'"
        ),
        (
            "        password: { type: secret",
            "        nonce: { type: secret, summary: A nonce. }\n        password: { type: secret",
            "'nonce' is already set by 'from'; remove 'from', or do not set it by a prompt"
        ),
        ("X-Key:", "Host:", "'Host' controls the message or the connection and cannot be set by a method"),
        ("X-Key:", "Authorization:", "'sign' already sets 'Authorization'"),
        (
            "\"{challenge.realm?}\", \"{tenant?}\"]", "\"{tenant?}\"]",
            "all directories of an origin would share one credential; add a value that distinguishes them under 'per', such as a realm"
        ),
        ("challenge: stale", "challenge: stal", "there is no challenge 'stal'"),
        ("retry: 2", "retry: 5", "'retry' is a whole number from 0 to 4, not '5'"),
    ])
    func `a message says what is wrong and what to write`(_ old: String, _ new: String, _ message: String) {
        let reading = SpecReader.read(SpecSources(program: ValidSpec.program.changing(old, to: new)))
        #expect(reading.diagnostics.map(\.message).contains(message), "\(DiagnosticRenderer().text(reading.diagnostics))")
    }
}

/// The specs of the repository with observers of `Session`.
@Suite(.computes) struct RealProgramTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folders, with the number of methods in each.
    private static let folders = [
        ("Specs/Transmission", 2), ("Specs/ContainerRegistry", 1), ("Specs/HTTPAuthentication", 5), ("Specs/Keystone", 1),
        ("Specs/FormLogin", 3), ("Specs/OAuth", 3), ("Specs/OpenIDConnect", 5), ("Specs/ModelContextProtocol", 2),
        ("Specs/CAS", 2), ("Specs/Etcd", 1), ("Specs/JWTBearer", 1), ("Specs/SAMLECP", 1),
        ("Specs/Matrix", 2), ("Tests/Specs/Programs", 26),
        ("Specs/Auth0", 3), ("Specs/EntraID", 3),
        ("Specs/GitHub", 2),
        ("Specs/GitLab", 2), ("Specs/Google", 3), ("Specs/Keycloak", 5), ("Specs/Okta", 4),
    ]

    /// The folders that other folders extend.
    private static let bases = [
        "Specs/Auth0": "Specs/OpenIDConnect", "Specs/EntraID": "Specs/OpenIDConnect", "Specs/GitHub": "Specs/OAuth",
        "Specs/GitLab": "Specs/OpenIDConnect", "Specs/Google": "Specs/OpenIDConnect", "Specs/Keycloak": "Specs/OpenIDConnect",
        "Specs/Okta": "Specs/OpenIDConnect",
    ]

    private static func inherited(by folder: String) throws -> [SpecFile] {
        try bases[folder].map { base in
            try files(base).map { SpecFile(path: "\(base)/\($0.path)", bytes: $0.bytes) }
        } ?? []
    }

    private static func files(_ folder: String) throws -> [SpecFile] {
        let url = root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".yaml") }.sorted().map {
            SpecFile(path: $0, bytes: Array(try Data(contentsOf: url.appending(path: $0))))
        }
    }

    @Test(arguments: folders)
    func `the repository's specs have no mistake`(_ folder: String, _ count: Int) throws {
        let reading = SpecReader.read(
            SpecSources(own: try Self.files(folder), inherited: try Self.inherited(by: folder)))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(reading.landscape?.programs.count == count)
    }

    @Test(arguments: folders.filter { bases[$0.0] == nil })
    func `whatever line is lost, there is a landscape or an error, never neither`(_ folder: String, _ count: Int) async throws {
        let all = try Self.files(folder)
        for (index, file) in all.enumerated() {
            // No method depends on another, so each is read with the landscape alone.
            let isLandscape = file.name == "landscape.yaml"
            let others = all.filter { $0.name != file.name && (isLandscape || $0.name == "landscape.yaml") }.map { other in
                let text = String(decoding: other.bytes, as: UTF8.self)
                return SpecFile(other.path, isLandscape ? text : text.withoutOverlaps)
            }
            let lines = String(decoding: file.bytes, as: UTF8.self).components(separatedBy: "\n")
            let whole = SpecReader.read(SpecSources(own: others + [file]))
            #expect(whole.diagnostics.isEmpty, "\(DiagnosticRenderer().text(whole.diagnostics))")
            // A third of the lines, since all would take minutes.
            for (number, line) in lines.enumerated()
            where number % 3 == index % 3 && !line.trimmingCharacters(in: .whitespaces).hasPrefix("#") {
                // The test takes long, and others wait for the thread, some of which keep a lease alive.
                await Task.yield()
                var changed = lines
                if number.isMultiple(of: 2) {
                    changed.remove(at: number)
                } else {
                    // Only the key of the line is left.
                    changed[number] = line.components(separatedBy: ": ").first.map { $0 + ":" } ?? ""
                }
                let reading = SpecReader.read(
                    SpecSources(own: others + [SpecFile(file.path, changed.joined(separator: "\n"))]))
                let hasErrors = reading.diagnostics.contains { $0.severity == .error }
                #expect((reading.landscape == nil) == hasErrors, "\(file.name), line \(number + 1)")
                #expect(
                    hasErrors || reading.landscape?.programs.count == (isLandscape ? count : 1),
                    "\(file.name), line \(number + 1)")
            }
        }
    }
}
