import ArgumentParser
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

    @Test(arguments: [
        ("Etcd", [String]()), ("Matrix", ["--method", "MatrixPassword"]), ("CAS", ["--method", "CASPassword"]),
        ("github", ["--method", "DeviceCode"]),
    ])
    func `a landscape without a written mock is played by its spec`(name: String, arguments: [String]) async throws {
        let served = try await serve([name] + arguments) { output in
            let printed = try #require(output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            let shipped = try #require(ShippedLandscapes.names.first { $0.lowercased() == name.lowercased() })
            #expect(printed.contains(" --landscape \(shipped) "))
        }
        #expect(served.exit == ExitCode(0), "\(served.messages)")
    }

    @Test func `every landscape has a mock or a reason`() async throws {
        #expect(MockCommand.landscapes == ShippedLandscapes.names)
        let unknown = try await serve(["Keystones"])
        #expect(unknown.exit == CommandExit.usage && unknown.messages.contains("Did you mean 'Keystone'?"))
        let ambiguous = try await serve(["Okta"])
        #expect(ambiguous.exit == CommandExit.badData && ambiguous.messages.contains("help: Name one with '--method'."))
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

    @Test(arguments: [
        ([String](), "there is more than one method: AuthorizationCode, ClientCredentials, DeviceCode"),
        (["--method", "DeviceCod"], "there is no method 'DeviceCod'"),
    ])
    func `the option that names a method is in the message`(arguments: [String], problem: String) async throws {
        let served = try await serve(["--spec", folder("OAuth")] + arguments)
        #expect(served.exit == CommandExit.badData)
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
    }

    @Test func `an unknown value is refused with the known ones`() async throws {
        let served = try await serve(["--spec", folder("Etcd"), "--set", "usr=alice"])
        #expect(served.exit == CommandExit.badData)
        #expect(served.messages.contains("no parameter, setting or prompt 'usr'"))
        #expect(served.messages.contains("password, server, user"))
    }

    @Test(arguments: [
        [], ["Keystone", "--spec", "x"], ["Keystone", "--set", "a=b"], ["keystone", "--set-file", "a=b"],
        ["--spec", "x", "--set", "a"], ["Etcd", "--base", "x"], ["--spec", "x", "--set-file", "a"],
        ["--spec", "x", "--set", "a="],
    ])
    func `contradicting arguments are refused`(arguments: [String]) throws {
        #expect(throws: (any Error).self) { try CountersignCommand.parseAsRoot(["mock"] + arguments) }
    }
}
