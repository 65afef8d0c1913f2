import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

@Suite(.computes) struct `The input and output of a credential helper` {
    private func server(_ program: CredentialHelperCommand.Program, _ lines: [String]) -> URL? {
        var left = lines[...]
        return CredentialHelperCommand.Conversation(program, action: "get", input: { left.popFirst() }).server
    }

    @Test func `git names a server by a protocol, a host and a path`() {
        let address = server(.git, ["protocol=https", "host=git.example:8443", "path=a.git"])
        #expect(address?.absoluteString == "https://git.example:8443/a.git")
        #expect(server(.git, ["host=[::1]:3000", ""])?.absoluteString == "https://[::1]:3000/")
        #expect(server(.git, ["protocol=ssh", "host=git.example"]) == nil)
        #expect(server(.git, ["protocol=https://git.example/", "host=other.example"]) == nil)
    }

    /// git decodes the host of `https://git.example%2F.other.example`.
    @Test(arguments: [
        "git.example/.other.example", "git.example?.other.example", "git.example#.other.example", #"git.example\.other.example"#,
        "other.example@git.example", "git.example .other.example", "git.example/\u{338}.other.example",
    ])
    func `a host that is part of another one gets no credential`(_ host: String) {
        #expect(server(.git, ["protocol=https", "host=\(host)", ""]) == nil)
    }

    @Test func `a registry has no user name`() {
        #expect(server(.docker, ["registry.example"])?.absoluteString == "https://registry.example/v2/")
        #expect(server(.docker, ["other.example@registry.example"]) == nil)
        #expect(server(.docker, ["https://other.example@registry.example/"]) == nil)
    }

    @Test func `a user or a password with a line break is not written to a program`() throws {
        func login(_ pair: String) -> String? {
            HelperAnswer.login(inBasic: Data(pair.utf8).base64EncodedString()).map { "\($0.user) \($0.password)" }
        }
        #expect(login("alice:wonder:land") == "alice wonder:land")
        #expect(login("alice:wonderland\nhost=other.example") == nil)
        #expect(login("alice\r:wonderland") == nil)
        #expect(login("alice") == nil)
    }

    @Test(arguments: [
        (["git"], false), (["docker"], false), (["git", "get"], true), (["git", "another"], true), (["curl"], true),
        (["aws", "get"], true), (["curl", "https://api.example/items"], false), (["kubernetes", "erase"], false),
    ])
    func `git and Docker have actions, other programs do not`(arguments: [String], isValid: Bool) {
        let command = try? CountersignCommand.parseAsRoot(["credential-helper"] + arguments)
        #expect((command != nil) == isValid)
    }
}
