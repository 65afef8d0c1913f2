import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The corrections of `lint --fix`.
@Suite(.takesTurns) struct LintFixTests {
    private func lint(_ arguments: [String]) throws -> CommandBench.Run {
        let recorded = RecordedConsole()
        var run = CommandBench.Run()
        do {
            try LintCommand.parse(arguments).run(console: recorded.console)
        } catch let exit as ExitCode {
            run.exit = exit
        }
        run.output = recorded.output
        run.messages = recorded.messages
        return run
    }

    @Test func `a misspelt key is corrected, and the file is otherwise as before`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let path = specs + "/SAML.yaml"
        let original = try String(contentsOfFile: SpecFolder.specs + "/SAML.yaml", encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let run = try lint(["--fix", specs])
        #expect(run.exit == ExitCode(0) && run.messages == "", "\(run.messages)")
        #expect(run.output.contains(/^[^\n]*SAML\.yaml:\d+:1: corrected: 'credentail' is now 'credential' \[CS0201\]\n$/))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == original)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: specs).allSatisfy {
                $0.hasSuffix(".yaml") || !$0.contains("SAML.yaml")
            })
        // The second run has nothing to do.
        let again = try lint(["--fix", specs])
        #expect(again.exit == ExitCode(0) && again.output == "" && again.messages == "")
    }

    @Test func `what is below a corrected key is corrected, too, and what has no suggestion is reported`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(
            replacing: "credential: { cookies: shared }", with: "credentail: { cookie: shared, nonsense: 1 }")
        let run = try lint(["--fix", specs])
        #expect(run.exit == CommandExit.badData)
        #expect(run.output.contains("'credentail' is now 'credential'") && run.output.contains("'cookie' is now 'cookies'"))
        #expect(run.messages.contains("'nonsense'") && !run.messages.contains("credentail"), "\(run.messages)")
        let text = try String(contentsOfFile: specs + "/SAML.yaml", encoding: .utf8)
        #expect(text.contains("credential: { cookies: shared, nonsense: 1 }"))
    }

    @Test func `a correction that would be a mistake itself is not made`() throws {
        let folder = try SpecFolder()
        // The key would be there twice.
        let line = "credential: { cookies: shared }"
        let specs = try folder.copySpecs(replacing: line, with: "\(line)\ncredentail: { cookies: shared }")
        let before = try String(contentsOfFile: specs + "/SAML.yaml", encoding: .utf8)
        let run = try lint(["--fix", specs])
        #expect(run.exit == CommandExit.badData && run.output == "")
        #expect(run.messages.contains("'credentail'"))
        #expect(try String(contentsOfFile: specs + "/SAML.yaml", encoding: .utf8) == before)
    }

    @Test func `the other files of a folder are not changed, and without the flag none is`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let before = try String(contentsOfFile: specs + "/SAML.yaml", encoding: .utf8)
        #expect(try lint(["--fix", specs + "/OTP.yaml"]).output == "")
        #expect(try lint([specs]).exit == CommandExit.badData)
        #expect(try String(contentsOfFile: specs + "/SAML.yaml", encoding: .utf8) == before)
    }

    @Test func `a misspelt reference to a value that may be absent keeps its mark`() throws {
        let folder = try SpecFolder()
        let specs = folder.path + "/JWTBearer"
        let shipped = URL(filePath: SpecFolder.specs).deletingLastPathComponent().appending(path: "JWTBearer")
        try FileManager.default.copyItem(atPath: shipped.path(percentEncoded: false), toPath: specs)
        let path = specs + "/JWTBearer.yaml"
        let original = try String(contentsOfFile: path, encoding: .utf8)
        let wrong = original.replacing("{credential.lifetime?}", with: "{credential.lifetiem?}")
        #expect(wrong != original)
        try Data(wrong.utf8).write(to: URL(filePath: path))
        let run = try lint(["--fix", specs])
        #expect(run.exit == ExitCode(0) && run.messages == "", "\(run.messages)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == original)
    }

    @Test func `a misspelt declaration with one reference is left as it is, with the reason`() throws {
        let folder = try SpecFolder()
        let path = folder.path + "/Misspelt.yaml"
        let text = """
            countersign: 2
            method: Misspelt
            summary: A key.
            parameters:
              servres: { type: origins, summary: The servers. }
              key: { type: secret, summary: The key. }
            challenge:
              - status: 401
            credential:
              for: ["{servers}"]
            attach:
              - headers: { X-Key: "{key}" }

            """
        try Data(text.utf8).write(to: URL(filePath: path))
        try Data("countersign: 2\nlandscape: Misspelt\nsummary: A landscape.\n".utf8)
            .write(to: URL(filePath: folder.path + "/landscape.yaml"))
        let run = try lint(["--fix", folder.path])
        #expect(run.exit == CommandExit.badData && run.output == "")
        #expect(run.messages.contains("'servres'"), "\(run.messages)")
        #expect(run.messages.contains("a reference was not corrected, because its declaration may be misspelt"), "\(run.messages)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `each kind of reference that is not corrected has its own reason`() throws {
        let folder = try SpecFolder()
        try Data("countersign: 2\nlandscape: Misspelt\nsummary: A landscape.\n".utf8)
            .write(to: URL(filePath: folder.path + "/landscape.yaml"))
        func messages(key: String, challenge: String) throws -> [Substring] {
            let text = """
                countersign: 2
                method: Misspelt
                summary: A key.
                parameters:
                  servers: { type: origins, summary: The servers. }
                  key: { type: secret, summary: The key. }
                challenge:
                  - { name: unauthorized, status: 401 }
                credential:
                  fields: { token: { type: secret, summary: A token. } }
                  for: ["{servers}"]
                acquire:
                  - http:
                      send: "POST https://library.example/tokens"
                      headers: { X-Key: \(key) }
                      answers: [{ status: 200, capture: { token: { header: X-Token } } }]
                attach:
                  - headers: { X-Token: "{credential.token}" }
                rejected:
                  - { challenge: \(challenge), then: [acquire] }

                """
            try Data(text.utf8).write(to: URL(filePath: folder.path + "/Misspelt.yaml"))
            return try lint(["--fix", folder.path]).messages.split(separator: "\n").filter { $0.contains("was not corrected") }
        }
        let reference = "a reference was not corrected, because its declaration may be misspelt instead: correct one of them"
        let name =
            "a name outside braces was not corrected, because only references in braces are compared, and none has the suggested name: "
            + "correct the name or its declaration"
        let other = "a reference was not corrected, because its correction is not certain: change it by hand"
        #expect(try messages(key: "\"{key}\"", challenge: "unauthorized") == [])
        #expect(try messages(key: "\"{kye}\"", challenge: "unauthorized") == [Substring(reference)])
        #expect(try messages(key: "\"{key}\"", challenge: "unauthorised") == [Substring(name)])
        #expect(try messages(key: "\"{kye}\"", challenge: "unauthorised") == [Substring(reference), Substring(name)])
        // An escape sequence hides the place of the word.
        #expect(try messages(key: "\"\\x7Bkye}\"", challenge: "unauthorized") == [Substring(other)])
    }

    @Test func `a read-only file is not replaced, and then none is`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let other = specs + "/OTP.yaml"
        let text = try String(contentsOfFile: other, encoding: .utf8).replacing("summary:", with: "summray:", maxReplacements: 1)
        try Data(text.utf8).write(to: URL(filePath: other))
        let path = specs + "/SAML.yaml"
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let run = try lint(["--fix", specs])
        #expect(run.exit == CommandExit.cannotCreate && run.output == "")
        #expect(run.messages == "error: '\(path)' cannot be written: Permission denied\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == text)
    }

    @Test func `a file that has been changed since it was read is not overwritten`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let repair = try SpecArguments.parse([specs]).repair(with: [], console: RecordedConsole().console)
        #expect(repair.corrections.count == 1)
        let path = specs + "/SAML.yaml"
        try Data("saved by an editor\n".utf8).write(to: URL(filePath: path))
        let problem = #expect(throws: CommandProblem.self) { try repair.write() }
        #expect(problem?.exit == CommandExit.temporary)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "saved by an editor\n")
    }

    @Test func `as JSON the corrections are data`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let run = try lint(["--fix", "--json", specs])
        #expect(run.exit == ExitCode(0) && run.messages == "")
        let object = try run.object()
        let corrections = try #require(object["corrections"] as? [[String: Any]])
        #expect(corrections.map { $0["old"] as? String } == ["credentail"])
        #expect(corrections.map { $0["new"] as? String } == ["credential"])
        #expect((object["diagnostics"] as? [Any])?.isEmpty == true)
        // Without the flag, the member is absent.
        #expect(try lint(["--json", specs]).object()["corrections"] == nil)
    }
}
