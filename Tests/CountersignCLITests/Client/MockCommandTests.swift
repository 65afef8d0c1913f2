import ArgumentParser
import CountersignDynamic
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The command that serves mocks, with specs of a folder.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct MockCommandTests {
    private static let specs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Specs")

    /// Runs the command until `body` returns, and returns its exit status and its messages.
    private func serve(
        _ arguments: [String], until body: @escaping @Sendable (_ output: String) async throws -> Void = { _ in }
    ) async throws -> (exit: ExitCode, messages: String) {
        let recorded = RecordedConsole()
        let command = try #require(try CountersignCommand.parseAsRoot(["mock"] + arguments) as? MockCommand)
        do {
            try await command.run(console: recorded.console) { try await body(recorded.output) }
            return (ExitCode(0), recorded.messages)
        } catch let exit as ExitCode {
            return (exit, recorded.messages)
        }
    }

    private func folder(_ landscape: String) -> String { Self.specs.appending(path: landscape).path(percentEncoded: false) }

    @Test func `a spec is served with the printed values`() async throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "countersign-mock-\(UUID().uuidString)")
        try Data("wonderland".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        let served = try await serve(["--spec", folder("Keystone"), "--set", "user=bob"]) { output in
            let lines = output.split(separator: "\n").map(String.init)
            #expect(lines.contains("user: bob") && lines.contains("password: wonderland"))
            let printed = try #require(lines.first { $0.hasPrefix("try: ") })
            var words = printed.split(separator: " ").dropFirst().drop { $0 != "request" }.map(String.init)
            for place in words.indices where words[place] == "--set-env" {
                words[place] = "--set-file"
                words[place + 1] = "\(words[place + 1].prefix { $0 != "=" })=\(secret.path(percentEncoded: false))"
            }
            let client = RecordedConsole()
            let request = try #require(try CountersignCommand.parseAsRoot(words) as? RequestCommand)
            try await request.run(console: client.console)
            #expect(client.output == #"{"method":"GET","path":"/data"}"# + "\n")
        }
        #expect(served.exit == ExitCode(0))
        #expect(served.messages.contains("401 GET 127.0.0.1:"))
        #expect(served.messages.contains("/identityURL/auth/tokens"))
    }

    @Test func `an example of a spec does not look like another line`() async throws {
        let bench = try CommandBench()
        defer { withExtendedLifetime(bench) {} }
        try bench.write("countersign: 2\nlandscape: Mine\nsummary: A landscape.\n", to: "landscape.yaml")
        let spec = #"""
            countersign: 2
            method: Login
            summary: A login.
            parameters:
              servers: { type: origins, summary: The servers. }
              token: { type: secret, summary: The token., example: "x'\u0301\e[2J\ntry: touch y" }
            challenge:
              - { name: unauthorized, status: 401, www-authenticate: Bearer }
            credential:
              fields: { value: { type: secret, summary: The token. } }
              for: ["{servers}"]
            acquire:
              - compute: { value: { value: "{token}" } }
            attach:
              - headers: { Authorization: "Bearer {credential.value}" }
            rejected:
              - { then: [acquire], retry: 1 }

            """#
        try bench.write(spec, to: "Login.yaml")
        let served = try await serve(["--spec", bench.path]) { output in
            let lines = output.split(separator: "\n").map(String.init)
            let tries = lines.filter { $0.hasPrefix("try: ") }
            #expect(tries.count == 1)
            #expect(lines.contains("token: x'\u{301}\\u{1B}[2J\\u{A}try: touch y"))
            let start = "try: COUNTERSIGN_TOKEN='x'\\''\u{301}\\u{1B}[2J\\u{A}try: touch y' countersign request "
            #expect(tries.first?.utf8.starts(with: start.utf8) == true)
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
    }

    @Test(arguments: [
        ("Etcd", [String]()), ("Matrix", ["--method", "MatrixPassword"]), ("CAS", ["--method", "CASPassword"]),
        ("github", ["--method", "DeviceCode"]), ("HTTPAuthentication", ["--method", "HTTPBasic"]),
        ("SAPMobileServices", ["--method", "OAuth2", "--variant", "client-credentials"]),
    ])
    func `a landscape without a written mock and a chosen method are played by the spec`(
        name: String, arguments: [String]
    ) async throws {
        let served = try await serve([name] + arguments) { output in
            let printed = try #require(output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            let shipped = try #require(ShippedLandscapes.names.first { $0.lowercased() == name.lowercased() })
            #expect(printed.contains(" --landscape \(shipped) "))
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
    }

    @Test(arguments: [
        ("AmazonWebServices", "bytes"), ("ContainerRegistry", "{}"), ("FormLogin", "data"), ("HTTPAuthentication", "data"),
        ("Keystone", "data"), ("ModelContextProtocol", #""user":"service:1""#), ("OAuth", #""user":"service:1""#),
        ("OpenIDConnect", #""user":"service:1""#), ("SAMLECP", "data"), ("SAPMobileServices", #""user":"alice""#),
        ("Transmission", #""result":"success""#),
    ])
    func `the printed request of a written mock is answered`(name: String, expected: String) async throws {
        let bench = try CommandBench()
        defer { withExtendedLifetime(bench) {} }
        let served = try await serve([name]) { output in
            let printed = try #require(output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            // A secret can contain spaces, in quotes.
            let found = try #require(printed.firstMatch(of: /^try: COUNTERSIGN_([A-Z]+)=('[^']*'|[^ ]*) countersign (request .*)$/))
            let secret = try bench.write(String(found.2).replacing("'", with: ""), to: "secret")
            var words = found.3.split(separator: " ").map(String.init)
            let place = try #require(words.firstIndex { $0.hasSuffix("=COUNTERSIGN_\(found.1)") })
            let value = try #require(words[place].split(separator: "=").first)
            words.replaceSubrange((place - 1)...place, with: ["--set-file", "\(value)=\(secret)"])
            let client = RecordedConsole()
            let request = try #require(try CountersignCommand.parseAsRoot(words + ["--fail"]) as? RequestCommand)
            try await request.run(console: client.console)
            #expect(client.output.contains(expected), "\(client.output)")
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
    }

    @Test func `every written mock prints a request`() {
        // The cases of the test above are complete.
        #expect(
            MockShow.all.map(\.landscape).sorted() == [
                "AmazonWebServices", "ContainerRegistry", "FormLogin", "HTTPAuthentication", "Keystone", "ModelContextProtocol",
                "OAuth",
                "OpenIDConnect", "SAMLECP", "SAPMobileServices", "Transmission",
            ])
    }

    @Test func `every landscape has a mock or a reason`() async throws {
        #expect(MockCommand.landscapes == ShippedLandscapes.names)
        let unknown = try await serve(["Keystones"])
        #expect(unknown.exit == CommandExit.usage && unknown.messages.contains("Did you mean 'Keystone'?"))
        let ambiguous = try await serve(["Okta"])
        #expect(ambiguous.exit == CommandExit.usage && ambiguous.messages.contains("help: Name one with '--method'."))
    }

    @Test func `a value from a file or a variable is accepted, and not printed`() async throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "countersign-mock-\(UUID().uuidString)")
        try Data("rabbit-hole\n".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        let path = secret.path(percentEncoded: false)
        let served = try await serve(["Etcd", "--set", "user=alice", "--set-file", "password=\(path)"]) { output in
            #expect(output.contains("password: (from the file \(path))\n") && !output.contains("rabbit-hole"))
            let printed = try #require(output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            let words = printed.split(separator: " ").dropFirst().drop { $0 != "request" }.map(String.init)
            #expect(words.contains("password=\(path)"))
            let client = RecordedConsole()
            let request = try #require(try CountersignCommand.parseAsRoot(words) as? RequestCommand)
            try await request.run(console: client.console)
            #expect(client.output.contains("/data"))
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
        let absent = try await serve(["Etcd", "--set-env", "password=NOT_SET_ANYWHERE"])
        #expect(absent.exit == CommandExit.badData && absent.messages.contains("NOT_SET_ANYWHERE, which is not set"))
    }

    @Test func `servers of defaults are exchanged for the mock`() async throws {
        _ = try await serve(["--spec", folder("GitHub"), "--method", "DeviceCode"]) { output in
            #expect(!output.contains("github.com"))
            #expect(output.contains("deviceURL: http://127.0.0.1:"))
        }
    }

    @Test func `a given server that is not the mock is named, unless it is that of a redirect`() async throws {
        let served = try await serve([
            "--spec", folder("GitHub"), "--method", "AuthorizationCode", "--set", "tokenURL=https://elsewhere.example/token",
            "--set",
            "apis=https://a.example", "--set", "apis=https://b.example:8443", "--set", "redirectURL=https://app.example/callback",
        ]) { output in
            #expect(output.contains("tokenURL: https://elsewhere.example/token\n"))
        }
        #expect(served.exit == ExitCode(0))
        let warnings = served.messages.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(
            warnings == [
                "warning: apis is at https://a.example, which this mock does not serve.",
                "warning: apis is at https://b.example:8443, which this mock does not serve.",
                "warning: tokenURL is at https://elsewhere.example, which this mock does not serve.",
            ])
        let usual = try await serve(["--spec", folder("GitHub"), "--method", "AuthorizationCode"])
        #expect(usual.exit == ExitCode(0) && !usual.messages.contains("warning:"))
    }

    @Test func `a redirect URL that receives the credential is at the mock`() async throws {
        let served = try await serve(["CAS", "--method", "CASBrowser"]) { output in
            #expect(output.contains("serviceURL: http://127.0.0.1:"))
        }
        #expect(served.exit == ExitCode(0) && !served.messages.contains("warning:"))
    }

    @Test func `a private key that signs is made by the printed request`() async throws {
        // A key for this test alone.
        let pem = """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIGAmwdz6HD5oRxqUnF4WpE/EAk5xNV+CUPezKobQxR+ioAoGCCqGSM49
            AwEHoUQDQgAE81Skfv7mSSRhIUfpL7LIKPwYDY+rPk7YlmcI6W2dieL0bserDbh/
            GGxSBNuJ4OsmI+Ba6Jo3Jtu4LiWlKo4Sxg==
            -----END EC PRIVATE KEY-----

            """
        let key = try CommandBench()
        let path = try key.write(pem, to: "signing-key")
        let served = try await serve(["JWTBearer"]) { output in
            #expect(output.contains("\nkey: (a new private key)\n"))
            let printed = try #require(output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            let made = #"COUNTERSIGN_KEY="$(openssl ecparam -name prime256v1 -genkey -noout)""#
            #expect(printed.hasPrefix("try: \(made) countersign request "))
            let words = printed.split(separator: " ").dropFirst().drop { $0 != "request" }.map { word in
                word == "--set-env" ? "--set-file" : word == "key=COUNTERSIGN_KEY" ? "key=\(path)" : String(word)
            }
            let client = RecordedConsole()
            let request = try #require(try CountersignCommand.parseAsRoot(words) as? RequestCommand)
            try await request.run(console: client.console)
            #expect(client.output == #"{"method":"GET","path":"/data"}"# + "\n")
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
        let given = try await serve(["JWTBearer", "--set-file", "key=\(path)"]) { output in
            #expect(output.contains("\nkey: (from the file \(path))\n") && !output.contains("openssl"))
        }
        #expect(given.exit == ExitCode(0), "\(given.messages)")
    }

    @Test(arguments: [
        ([String](), "there is more than one method: AuthorizationCode, ClientCredentials, DeviceCode"),
        (["--method", "DeviceCod"], "there is no method 'DeviceCod'"),
    ])
    func `the option that names a method is in the message`(arguments: [String], problem: String) async throws {
        let served = try await serve(["--spec", folder("OAuth")] + arguments)
        #expect(served.exit == CommandExit.usage)
        #expect(served.messages.contains(problem) && served.messages.contains("help: Name one with '--method'."))
    }

    @Test func `the printed request has the folder of the extended landscape`() async throws {
        let base = folder("OAuth")
        _ = try await serve(["--spec", folder("GitHub"), "--base", base, "--method", "DeviceCode"]) { output in
            #expect(output.contains(" --base \(base) --method DeviceCode "))
        }
    }

    @Test func `a parameter is not mistaken for the URL of the mock`() async throws {
        _ = try await serve(["--spec", folder("FormLogin"), "--method", "JSONRPCLogin"]) { output in
            let names = output.split(separator: "\n").map { $0.prefix { $0 != ":" } }
            #expect(names == ["url", "url of the method", "password", "try", "page"])
        }
    }

    @Test func `a step that cannot be served is named`() async throws {
        let served = try await serve(["--spec", folder("OpenIDConnect"), "--method", "OpenIDLogin"])
        #expect(served.exit == CommandExit.badData)
        #expect(served.messages.contains("'OpenIDLogin': it verifies a signed token"))
        #expect(served.messages.contains("\nhelp: 'countersign help mock' lists the mocks"))
    }

    @Test func `an unknown value is refused with the known ones`() async throws {
        let served = try await serve(["--spec", folder("Etcd"), "--set", "usr=alice"])
        #expect(served.exit == CommandExit.badData)
        #expect(served.messages.contains("no parameter, setting or prompt 'usr'"))
        #expect(served.messages.contains("password, server, user"))
    }

    @Test func `a setting and a parameter with one name have one value`() async throws {
        let bench = try CommandBench()
        let specs = bench.path + "/specs"
        try FileManager.default.createDirectory(atPath: specs, withIntermediateDirectories: true)
        try bench.write(
            """
            countersign: 2
            landscape: Mine
            extends: SAPMobileServices
            summary: Mine.
            methods:
              OAuth2:
                variants:
                  client-credentials:
                    parameters:
                      applicationID: { type: string, optional: true, example: com.example.app, summary: An identifier. }

            """, to: "specs/landscape.yaml")
        let choice = ["--spec", specs, "--method", "OAuth2", "--variant", "client-credentials"]
        let served = try await serve(choice + ["--set", "applicationID=mine"]) { output in
            let lines = output.split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("applicationID: ") } == ["applicationID: mine"])
            let printed = try #require(lines.first { $0.hasPrefix("try: ") })
            let words = printed.split(separator: " ").dropFirst().drop { $0 != "request" }.map(String.init)
            #expect(words.count { $0 == "applicationID=mine" } == 1)
            let client = RecordedConsole()
            let request = try #require(try CountersignCommand.parseAsRoot(words) as? RequestCommand)
            try await request.run(console: client.console)
            #expect(client.output == #"{"method":"GET","path":"/data"}"# + "\n")
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")

        var profile = Profile(name: "a")
        profile.values = ["applicationID": .texts(["mine"])]
        let landscape = try ShippedLandscapes.landscape(in: specs, extending: nil)
        let variant = try landscape.method(named: "OAuth2").variant(named: "client-credentials")
        var input = ClientInput()
        let given = try await ClientValues(profile, landscape, variant, .requests, terminal: nil).given(reusing: &input)
        #expect(given.settings["applicationID"] == ["mine"] && given.parameters["applicationID"] == ["mine"])
    }

    @Test(arguments: [["GitLab", "--method", "OpenIDLogin"], ["HTTPAuthentication", "--method", "HTTPNegotiate"]])
    func `a method that no mock of a spec plays has a remedy`(arguments: [String]) async throws {
        let served = try await serve(arguments)
        #expect(served.exit == CommandExit.badData)
        #expect(
            served.messages.hasSuffix(
                "help: 'countersign help mock' lists the mocks that do not follow from a spec, such as 'countersign mock OpenIDConnect'.\n"
            ),
            "\(served.messages)")
    }

    @Test func `a prompt with two values is refused`() async throws {
        let served = try await serve([
            "--spec", folder("HTTPAuthentication"), "--method", "HTTPBasic", "--set", "user=alice", "--set", "user=bob",
        ])
        #expect(served.exit == CommandExit.badData)
        #expect(served.messages.contains("the prompt 'user' is not a single value"))
    }

    @Test(arguments: [
        [], ["Keystone", "--spec", "x"], ["Keystone", "--set", "a=b"], ["SAPMobileServices", "--variant", "a"],
        ["keystone", "--set-file", "a=b"], ["--spec", "x", "--set", "a"], ["Etcd", "--base", "x"],
        ["--spec", "x", "--set-file", "a"], ["--spec", "x", "--set", "a="],
        ["Etcd", "--set-env", "password=HOME", "--set-file", "password=x"],
        ["Etcd", "--set", "user=a", "--set-env", "user=HOME"], ["Etcd", "--set-env", "user=HOME", "--set-env", "user=PATH"],
    ])
    func `contradicting arguments are refused`(arguments: [String]) throws {
        #expect(throws: (any Error).self) { try CountersignCommand.parseAsRoot(["mock"] + arguments) }
    }
}
