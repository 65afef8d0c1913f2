import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The status of all profiles, and the places of a profile's errors.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct StatusListTests {
    @Test func `all profiles are listed, also beside one that cannot be shown`() async throws {
        let bench = try CommandBench()
        let profiles = try bench.write(
            """
            one:
              landscape: HTTPAuthentication
              method: HTTPDigest
              values: { servers: https://a.example, user: alice }
            broken:
              landscape: Nowhere
            two:
              landscape: Keystone
              values: { identityURL: https://id.example/v3, cloud: https://c.example, user: bob }

            """, to: "profiles.yaml")
        let options = ["--profiles", profiles, "--no-store"]
        let listed = await bench.run(["status", "--all"] + options)
        #expect(listed.exit == CommandExit.badData)
        #expect(listed.output.contains("one: HTTPAuthentication.HTTPDigest\n") && listed.output.contains("two: Keystone."))
        #expect(listed.messages.contains("broken cannot be shown:\nerror: \(profiles):6:14: No landscape 'Nowhere'"))

        let object = try await bench.run(["status", "--all", "--json"] + options).object()
        let rows = try #require(object["profiles"] as? [[String: Any]])
        #expect(rows.map { $0["profile"] as? String } == ["one", "broken", "two"])
        #expect((rows[1]["error"] as? [String: Any])?["exit"] as? Int == 65 && rows[0]["error"] == nil)

        let one = await bench.run(["status"] + options)
        #expect(one.exit == CommandExit.usage && one.messages.contains("one, broken, two. 'countersign status --all' shows all."))
        #expect(throws: (any Error).self) { try CountersignCommand.parseAsRoot(["status", "--all", "-p", "one"]) }
    }

    @Test func `a profile without one of several methods has its place in the message`() async throws {
        let bench = try CommandBench()
        let profiles = try bench.write("one:\n  landscape: OAuth\n", to: "profiles.yaml")
        let status = await bench.run(["status", "--profiles", profiles, "--no-store"])
        #expect(status.exit == CommandExit.badData)
        #expect(status.messages.contains("\(profiles):2:14: there is more than one method: "), "\(status.messages)")
        #expect(status.messages.contains("help: Name one under 'method' of the profile, or with '--method'.\n"))
    }

    @Test func `an error after the end of the time is not that of a profile`() async throws {
        let inTime = try await StatusList.Row("a") { throw CommandProblem("no") }
        if case .failure("a", _) = inTime {} else { Issue.record("\(inTime)") }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await StatusList.Row("a") { throw CommandProblem("no") }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `a client is closed also after an error`() async throws {
        let options = try ClientOptions.parse([
            "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set", "servers=http://127.0.0.1:9",
        ])
        let client = try await Client(options, for: .status, console: RecordedConsole().console, terminal: nil)
        await #expect(throws: CommandProblem.self) { try await ClientRun.use(client) { _ in throw CommandProblem("no") } }
        let request = try client.request("http://127.0.0.1:9/data")
        let later = await #expect(throws: CountersignError.self) { try await client.answer(to: request) }
        #expect(later?.code == .sessionInvalidated)
    }

    @Test(arguments: [
        ("values: { apls: https://a.example }", "profiles.yaml:4:13: There is no parameter, setting or prompt 'apls'."),
        ("values: { clientID: { env: NOT_SET_ANYWHERE } }", "profiles.yaml:4:13: 'clientID' comes from the environment"),
        ("values: { clientSecret: open }", "profiles.yaml:4:13: 'clientSecret' is a secret"),
        ("variant: v9", "profiles.yaml:4:12: there is no variant 'v9'"),
        ("ca-file: absent.pem", "profiles.yaml:4:12: The file with"),
        (
            "values: { apis: https://a.example, tokenURL: nowhere, clientID: a, clientSecret: { command: echo s } }",
            "profiles.yaml:4:38: the parameter 'tokenURL' is not "
        ),
    ])
    func `an error about a part of a profile has its place`(line: String, message: String) async throws {
        let folder = try SpecFolder()
        let path = folder.path + "/profiles.yaml"
        let needed =
            line.hasPrefix("ca-file")
            ? "\n  values: { apis: https://a.example, tokenURL: https://a.example/t, clientID: a, clientSecret: { env: HOME } }"
            : ""
        try "a:\n  landscape: OAuth\n  method: ClientCredentials\n  \(line)\(needed)\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        // A file with a command is refused if others can write it, as they could with the default permissions of some systems.
        for (place, mode) in [(path, 0o600), (folder.path, 0o700)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
        }
        let recorded = RecordedConsole()
        let command = try #require(
            try CountersignCommand.parseAsRoot(["request", "--no-store", "--profiles", path, "https://a.example/"])
                as? RequestCommand)
        await #expect(throws: ExitCode.self) { try await command.run(console: recorded.console) }
        #expect(recorded.messages.contains(message), "\(recorded.messages)")
        // A value of the command line has no place in the file.
        guard line.contains("apls") else { return }
        let other = RecordedConsole()
        let given = try #require(
            try CountersignCommand.parseAsRoot([
                "request", "--no-store", "--profiles", path, "--set", "apls=x", "https://a.example/",
            ]) as? RequestCommand)
        await #expect(throws: ExitCode.self) { try await given.run(console: other.console) }
        #expect(other.messages.contains("error: There is no parameter, setting or prompt 'apls'."))
    }
}
