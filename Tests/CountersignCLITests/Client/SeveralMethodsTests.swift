import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// Sessions that sign in by several methods.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct SeveralMethodsTests {
    /// Logs in as `alice`, and enters the code that her app shows.
    private struct Person: WebPresenter {
        let app: MockAuthenticatorApp

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            try await FormFillingPresenter(user: "alice", password: "wonderland", values: ["j_passcode": app.code])
                .present(presentation)
        }
    }

    private static let both = ["--method", "HTTPBasic", "--method", "TransmissionSession"]

    private func transmission(_ mock: MockTransmission, _ bench: CommandBench) throws -> [String] {
        [
            "--landscape", "Transmission", "--set", "servers=\(mock.url.absoluteString)", "--set",
            "server=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
            "password=\(try bench.write("wonderland", to: "password"))",
        ]
    }

    @Test func `a server with a password and a session identifier needs the methods of both`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let url = mock.url.absoluteString
            let values = try transmission(mock, bench)
            let with = values + Self.both + bench.store

            let request = await bench.run(["request", "--no-store"] + values + Self.both + [url])
            #expect(request.exit == ExitCode(0) && request.output.contains(#""result":"success""#), "\(request.messages)")
            #expect(mock.statistics.answered == 1)

            let login = await bench.run(["login"] + with + [url])
            #expect(login.exit == ExitCode(0) && login.messages.contains("server answered with status 200"), "\(login.messages)")
            #expect(login.messages.hasPrefix("Signed in by Transmission.HTTPBasic"))
            let again = await bench.run(["login"] + with + [url])
            #expect(again.messages.hasPrefix("The stored login of Transmission.HTTPBasic is valid; "), "\(again.messages)")

            let status = await bench.run(["status"] + with)
            let titles = status.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix(" ") }
            #expect(titles == ["Transmission: Transmission.HTTPBasic", "Transmission: Transmission.TransmissionSession"])
            #expect(status.output.contains("signed in at http://127.0.0.1"))
            let object = try await bench.run(["status", "--json"] + with).object()
            let methods = try #require(object["methods"] as? [[String: Any]])
            #expect(methods.map { $0["name"] as? String } == ["HTTPBasic", "TransmissionSession"])
            let credentials = try #require(object["credentials"] as? [[String: Any]])
            #expect(object["method"] as? String == "HTTPBasic" && credentials.contains { $0["method"] as? String == "HTTPBasic" })

            #expect(await bench.run(["logout"] + with).exit == ExitCode(0))
            let later = await bench.run(["status"] + with)
            #expect(!later.output.contains("signed in at") && later.output.contains("not signed in"))
        }
    }

    @Test func `a profile can name several methods`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let profiles = try bench.write(
                """
                box:
                  landscape: Transmission
                  methods: [TransmissionSession, HTTPBasic]
                  url: \(mock.url.absoluteString)
                  values:
                    servers: \(mock.url.absoluteString)
                    TransmissionSession.server: \(mock.url.absoluteString)
                    user: alice
                    password: { file: \(try bench.write("wonderland", to: "password")) }
                broken:
                  landscape: Transmission
                  methods: [HTTPBasic, Session]

                """, to: "profiles.yaml")
            let options = ["--no-store", "--profiles", profiles]
            let request = await bench.run(["request", "-p", "box"] + options)
            #expect(request.output.contains(#""result":"success""#), "\(request.messages)")
            // The command line can name one of them, beside the values of the other one.
            let one = await bench.run(["request", "-p", "box", "--method", "HTTPBasic"] + options)
            #expect(one.output.contains("409: Conflict"), "\(one.messages)")
            let token = await bench.run(["token", "-p", "box", "--method", "HTTPBasic"] + options)
            #expect(token.output == Data("alice:wonderland".utf8).base64EncodedString() + "\n", "\(token.messages)")
            let broken = await bench.run(["request", "-p", "broken"] + options)
            #expect(broken.exit == CommandExit.badData)
            #expect(broken.messages.contains("profiles.yaml:12:24: there is no method 'Session'"), "\(broken.messages)")
        }
    }

    @Test func `a token is that of one method, unless whole header fields are asked for`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let url = mock.url.absoluteString
            let values = try transmission(mock, bench) + Self.both + ["--no-store"]
            let token = await bench.run(["token"] + values + [url])
            #expect(token.exit == CommandExit.usage && token.output == "")
            #expect(token.messages.contains("several methods: Transmission.HTTPBasic and Transmission.TransmissionSession."))
            let header = await bench.run(["token", "--header"] + values + [url])
            let names = header.output.split(separator: "\n").map { $0.prefix { $0 != ":" }.lowercased() }
            #expect(Set(names) == ["authorization", "x-transmission-session-id"], "\(header.messages)")
            let curl = await bench.run(["credential-helper", "curl"] + values + ["--url", url])
            #expect(curl.output.contains("Authorization: Basic ") && curl.exit == ExitCode(0))
            let kubernetes = await bench.run(["credential-helper", "kubernetes"] + values + ["--url", url])
            #expect(kubernetes.exit == CommandExit.usage && kubernetes.output == "")
        }
    }

    @Test func `a second factor follows the first, and both are kept`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let bench = try CommandBench()
            let url = mock.baseURL.appending(path: "resource/OTP/data").absoluteString
            let first = [
                "--landscape", "SAPMobileServices", "--set", "backendURL=\(mock.baseURL.absoluteString)", "--method", "SAML",
            ]
            let both = first + ["--method", "OTP"]

            let alone = try await login(first + ["--no-store", url], at: mock)
            #expect(alone.contains("Signed in by SAPMobileServices.SAML; "))
            #expect(
                alone.contains("the challenge 'otp-challenge' of SAPMobileServices.OTP") && alone.contains("add '--method OTP'"))
            #expect(mock.statistics.passcodes.logins == 0)

            let login = try await login(both + bench.store + [url], at: mock)
            #expect(login.hasPrefix("Signed in by SAPMobileServices.SAML and SAPMobileServices.OTP; "), "\(login)")
            #expect(mock.statistics.passcodes.logins == 1)
            let request = await bench.run(["request"] + both + bench.store + [url])
            #expect(request.exit == ExitCode(0) && request.output.contains(#""user":"alice""#), "\(request.messages)")
            let cookies = await bench.run(["token", "--header"] + both + bench.store + [url])
            #expect(cookies.output.hasPrefix("Cookie: "))
            let status = await bench.run(["status"] + both + bench.store)
            #expect(status.output.contains(": SAPMobileServices.SAML\n") && status.output.contains(": SAPMobileServices.OTP\n"))
            #expect(!status.output.contains("not signed in"))
            #expect(await bench.run(["logout"] + both + bench.store).exit == ExitCode(0))
            #expect(await bench.run(["status"] + both + bench.store).output.contains("not signed in"))
        }
    }

    @Test func `a password comes before a passcode, too`() async throws {
        var options = MockOptions()
        options.protection = "BasicAuthentication"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let bench = try CommandBench()
            let server = mock.baseURL.absoluteString
            let login = try await login(
                [
                    "--no-store", "--landscape", "SAPMobileServices", "--method", "BasicAuthentication", "--method", "OTP", "--set",
                    "backendURL=\(server)", "--set", "protectedURLs=\(server)", "--set", "user=alice", "--set-file",
                    "password=\(try bench.write("wonderland", to: "password"))",
                    mock.baseURL.appending(path: "resource/OTP/data").absoluteString,
                ], at: mock)
            #expect(login.hasPrefix("Signed in by SAPMobileServices.BasicAuthentication and SAPMobileServices.OTP; "), "\(login)")
        }
    }

    /// Runs a login with the mock's user, and returns its messages.
    private func login(_ arguments: [String], at mock: MockLandscape) async throws -> String {
        let recorded = RecordedConsole()
        let command = try LoginCommand.parse(arguments)
        let client = try await Client(
            command.client, console: recorded.console, terminal: nil, presenter: Person(app: mock.authenticatorApp(for: "alice")))
        try await ClientRun.use(client) { try await command.login($0, on: recorded.console) }
        return recorded.messages
    }

    @Test func `methods that do not go together are refused`() async throws {
        #expect(throws: (any Error).self) {
            try CountersignCommand.parseAsRoot(
                ["request", "--landscape", "Transmission", "--method", "HTTPBasic", "--method", "HTTPBasic", "http://a.example/"])
        }
        let request = ["request", "--no-store", "--landscape", "SAPMobileServices", "--set", "backendURL=http://127.0.0.1:9"]
        let cases: [(arguments: [String], problem: String)] = [
            (["--method", "SAML", "--method", "TOTP"], "there is no method 'TOTP'; there are: "),
            (["--method", "SAML", "--method", "SLSUserIdentityDiscovery"], "obtains a certificate"),
            (["--method", "OAuth2", "--method", "OTP"], "there is more than one variant: "),
            (["--method", "SAML", "--method", "OTP", "--variant", "password"], "there is no variant 'password'"),
            (["--method", "SAML", "--method", "OTP", "--set", "clientID=a"], "no parameter, setting or prompt 'clientID'"),
            (
                ["--method", "SAML", "--method", "BasicAuthentication", "--set", "SAML.user=a"],
                "no parameter, setting or prompt 'user'"
            ),
        ]
        for (arguments, problem) in cases {
            let ended = await CommandBench.run(request + arguments + ["http://127.0.0.1:9/"])
            let isUsage = problem.hasPrefix("there is ")
            #expect(ended.exit == (isUsage ? CommandExit.usage : CommandExit.badData), "\(arguments)")
            #expect(ended.messages.contains(problem), "\(ended.messages)")
        }
    }

    @Test func `the variant belongs to the method that has it`() throws {
        var profile = Profile(name: "a")
        profile.methods = ["OTP", "OAuth2"]
        profile.variant = "authorization-code"
        let landscape = try ShippedLandscapes.landscape(named: "SAPMobileServices")
        let chosen = try ClientMethod.chosen(by: profile, in: landscape)
        #expect(chosen.map(\.method.name) == ["OTP", "OAuth2"])
        #expect(chosen.map(\.variant.name) == [nil, "authorization-code"])
    }

    @Test func `a secret for two methods is read once`() async throws {
        let bench = try CommandBench()
        let pipe = try bench.pipe("s3cret\n", to: "pipe")
        var input = ClientInput()
        let first = try await input.texts(of: .file(pipe), named: "clientSecret")
        let second = try await input.texts(of: .file(pipe), named: "clientSecret")
        #expect(first == ["s3cret"] && second == first)
    }

    @Test func `the archive of an identity follows from the identity`() async throws {
        let bench = try CommandBench()
        let archive = try MockCertificateAuthority().archive(for: "alice")
        let path = bench.path + "/alice.p12"
        try archive.write(to: URL(filePath: path))
        let variant = try ShippedLandscapes.landscape(named: "SAPMobileServices").method(named: "UserIdentity").variant(named: nil)
        var profile = Profile(name: "a")
        profile.values = ["identity": .file(path)]
        let prompter = ClientPrompter(method: "UserIdentity", program: variant.resolved, profile: profile, terminal: nil)
        let url = try #require(URL(string: "https://api.example/items"))
        let origin = try #require(Origin(url))
        let values = try #require(try await prompter.answer(prompt: 0, CredentialPrompt(origin: origin, url: url)))
        #expect(values.count == 2)
        guard case .identity(let identity) = values[0], case .secret(let text) = values[1] else {
            Issue.record("another order of values")
            return
        }
        let stored = try #require(Data(base64Encoded: text))
        let reread = bench.path + "/stored.p12"
        try stored.write(to: URL(filePath: reread))
        profile.values = ["identity": .file(reread)]
        let second = ClientPrompter(method: "UserIdentity", program: variant.resolved, profile: profile, terminal: nil)
        let again = try await second.answer(prompt: 0, CredentialPrompt(origin: origin, url: url))
        guard case .identity(let same)? = again?.first else {
            Issue.record("the archive is not one")
            return
        }
        #expect(same == identity)
        // The user cannot know the archive, so it is not a value.
        let given = await bench.run([
            "request", "--no-store", "--landscape", "SAPMobileServices", "--method", "UserIdentity", "--set-file",
            "identity=\(path)", "--set-file", "archive=\(path)", "https://127.0.0.1:9/",
        ])
        #expect(given.exit == CommandExit.badData && given.messages.contains("no parameter, setting or prompt 'archive'"))
    }
}
