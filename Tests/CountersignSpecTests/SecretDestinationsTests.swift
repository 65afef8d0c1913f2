import Foundation
import TestTurns
import Testing

@testable import CountersignSpec

/// The servers to which the secrets of a method can go.
@Suite(.computes) struct SecretDestinationsTests {
    private static func read(_ program: String) throws -> ResolvedProgram {
        let reading = SpecReader.read(SpecSources(program: program))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programs.first)
    }

    private static func secret(_ name: String, of program: String) throws -> SecretDestinations.Secret {
        try #require(SecretDestinations(try read(program)).secrets.first { $0.name == name })
    }

    @Test func `a secret in a request goes to the server of its URL, and the credential to those under 'for'`() throws {
        let secrets = SecretDestinations(try Self.read(ValidSpec.recipient)).secrets
        #expect(secrets.map(\.name) == ["password", "credential.token"] && secrets.map(\.leaves) == [true, true])
        let password = try #require(secrets[0].places.first)
        #expect(secrets[0].places.count == 1 && password.part.kind == .form && password.origins == [.parameter("login")])
        #expect(password.steps.map(\.number) == ["1"] && password.steps.map(\.section) == [.acquire])
        let token = try #require(secrets[1].places.first)
        // The server that the login names is one of those of its `within`.
        #expect(token.request == .application && token.origins == [.parameter("login"), .parameter("instances")])
        #expect(token.part.name?.pieces == [.text("Authorization")] && token.steps.isEmpty)
    }

    @Test func `a URL that a server has named is limited by 'within'`() throws {
        let calls = ValidSpec.recipient
            .changing(
                "- { name: refused, status: 401 }",
                to: """
                    - name: refused
                      status: 401
                      www-authenticate: Bearer
                      capture: { realm: { parameter: realm, type: url, within: ["{request.url.origin}", "{instances}"] } }
                    """.replacing("\n", with: "\n  ")
            )
            .changing("POST {login}/token", to: "POST {challenge.realm}")
        let password = try Self.secret("password", of: calls)
        #expect(password.places.map(\.origins) == [[.challenging, .parameter("instances")]])
    }

    @Test func `a literal URL is shown by its origin`() throws {
        let text = ValidSpec.recipient.changing("POST {login}/token", to: "POST https://login.example:8443/token")
        #expect(try Self.secret("password", of: text).places.map(\.origins) == [[.literal("https://login.example:8443")]])
    }

    private static let functions: [(String, SecretDestinations.Form)] = [
        (#"{ join: ["{password}"], as: base64 }"#, .itself),
        (#"{ hash: sha-256, of: "{password}" }"#, .hash),
        (#"{ hmac: sha-256, key: "{password}", of: x }"#, .authenticationCode),
        (#"{ totp: "{password}" }"#, .passcode),
        (#"{ jwt: { key: "{password}", claims: { sub: x } } }"#, .signature),
        (#"{ jwt: { key: "{key}", claims: { sub: "{password}" } } }"#, .itself),
    ]

    @Test(arguments: functions)
    func `what is computed from a secret has it, or only a trace of it`(function: String, form: SecretDestinations.Form) throws {
        var text = ValidSpec.recipient
            .changing("acquire:\n", to: "acquire:\n  - compute: { proof: \(function) }\n")
            .changing("{ password: \"{password}\" }", to: "{ proof: \"{proof}\" }")
        if function.contains("{key}") {
            text = text.changing("challenge:", to: "  key: { type: secret, summary: A key. }\nchallenge:")
        }
        let secret = try Self.secret("password", of: text)
        #expect(secret.places.map(\.form) == [form] && secret.leaves == (form == .itself))
        #expect(secret.places.map(\.part.kind) == [.form] && secret.places.map(\.origins) == [[.parameter("login")]])
    }

    @Test func `keys of signatures never leave the process`() throws {
        let text = ValidSpec.recipient.changing(
            "- headers: { Authorization: \"Bearer {credential.token}\" }",
            to: "- sign: { dpop: { key: \"{password}\", token: \"{credential.token}\" } }")
        let program = try Self.read(text.changing("{ password: \"{password}\" }", to: "{ grant: login }"))
        let secrets = SecretDestinations(program).secrets
        #expect(secrets.map(\.name) == ["password", "credential.token"] && secrets.map(\.leaves) == [false, false])
        #expect(secrets.map { $0.places.map(\.form) } == [[.signature], [.hash]])
    }

    @Test func `a secret in the form of a page goes to the page's server, in a form`() throws {
        let text = ValidSpec.pages.changing(
            "      pkce: \"{verifier}\"\n", to: "      pkce: \"{verifier}\"\n      form: { proof: \"{verifier}\" }\n")
        let places = try Self.secret("verifier", of: text).places.filter { place in
            if case .page = place.request { place.form == .itself } else { false }
        }
        #expect(places.map(\.part.kind) == [.form] && places.map(\.origins) == [[.parameter("page")]])
    }

    /// A new construct of the language has templates, which this test finds in the model by reflection.
    @Test func `no request of a method of this repository has a secret that is not listed`() throws {
        var count = 0
        for program in try Self.programs() {
            let sent = Set(SentContents(program).all.map(\.content.slot))
            let flow = SecretFlow(program)
            let parts: [Any] = [program.attach, program.steps, program.announcements]
            let named = parts.reduce(into: Set<Int>()) { $0.formUnion(Self.slots(in: $1)) }
            let secret = Set(flow.secrets.flatMap { flow.reached(from: $0).keys })
            for slot in named.intersection(secret) where !sent.contains(slot) {
                #expect(flow.isContained(slot), "\(program.name.value): \(program.slots[slot].name.value)")
            }
            for secret in SecretDestinations(program).secrets {
                for place in secret.places {
                    count += 1
                    let limits = place.origins.allSatisfy { if case .anywhere = $0 { false } else { true } }
                    #expect(limits, "\(program.name.value): \(secret.name)")
                }
            }
        }
        #expect(count > 100)
    }

    /// Returns the slots in the templates of a value, but not those that are only compared with a response or with each other.
    private static func slots(in value: Any) -> Set<Int> {
        switch value {
        case let template as ResolvedProgram.Template: return Set(template.slots)
        case is ResolvedProgram.Challenge, is ResolvedProgram.Verification: return []
        case let function as ResolvedProgram.Function:
            if case .same = function { return [] }
        default: break
        }
        return Mirror(reflecting: value).children.reduce(into: []) { $0.formUnion(slots(in: $1.value)) }
    }

    /// The programs of the repository's landscapes.
    private static func programs() throws -> [ResolvedProgram] {
        let folder = RealSpecTests.folder.deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        func paths(_ name: String) throws -> [String] {
            let path = folder.appending(path: name).path(percentEncoded: false)
            let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".yaml") }
            return files.sorted().map { "\(path)/\($0)" }
        }
        return try names.filter { !$0.contains(".") }.flatMap { name -> [ResolvedProgram] in
            let text = try String(contentsOf: folder.appending(path: "\(name)/landscape.yaml"), encoding: .utf8)
            let base = text.firstMatch(of: /\nextends: (\w+)/).map { String($0.1) }
            let (sources, unreadable) = SpecSources.load(own: try paths(name), inherited: try base.map(paths) ?? [])
            let landscape = try #require(SpecReader.read(sources, unreadable: unreadable).landscape, "\(name)")
            return landscape.programs + landscape.programMethods.flatMap(\.programs)
        }
    }
}
