import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The owner and the permissions of a file of profiles with commands.
@Suite(.computes) struct ProfileSafetyTests {
    private static let commands = "a:\n  landscape: OAuth\n  values: { name: b, secret: { command: exit 1 } }\n"

    private let bench: CommandBench
    /// The file of profiles, in a folder of its own.
    private let path: String

    init() throws {
        bench = try CommandBench()
        try FileManager.default.createDirectory(atPath: bench.path + "/own", withIntermediateDirectories: false)
        path = try bench.write(Self.commands, to: "own/profiles.yaml")
        try set(0o644, of: path)
        for folder in [bench.path, bench.path + "/own"] { try set(0o755, of: folder) }
    }

    private func set(_ permissions: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    private func problem(_ path: String) -> CommandProblem? {
        do {
            _ = try ProfileFile(path: path)
            return nil
        } catch { return error as? CommandProblem }
    }

    @Test(arguments: [0o664, 0o646]) func `a file with a command that others can write is refused, with its place`(
        permissions: Int
    ) throws {
        #expect(problem(path) == nil)
        try set(permissions, of: path)
        let refused = try #require(problem(path))
        #expect(refused.description == "\(path):3:22: 'secret' comes from a command, and other users can change the file.")
        #expect(refused.remedy == "Check the commands, then run: chmod go-w \(path)")
        #expect(refused.exit == CommandExit.badData)
        try set(0o600, of: path)
        #expect(problem(path) == nil)
    }

    @Test func `a file in a folder that others can write is refused, unless only owners can replace files there`() throws {
        try set(0o777, of: bench.path + "/own")
        let refused = problem(path)
        #expect(refused?.description.hasSuffix("other users can replace the file in its folder.") == true)
        #expect(refused?.remedy?.contains("chmod go-w \(bench.path)/own") == true)
        try set(0o1777, of: bench.path + "/own")
        #expect(problem(path) == nil)
    }

    @Test func `the folder of a link, and the file that it leads to, are checked`() throws {
        let folder = bench.path + "/links"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try set(0o755, of: folder)
        let link = folder + "/profiles.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(problem(link) == nil)
        try set(0o777, of: folder)
        #expect(problem(link)?.remedy?.contains("chmod go-w \(folder)") == true)
        try set(0o755, of: folder)
        try set(0o666, of: path)
        #expect(problem(link)?.remedy == "Check the commands, then run: chmod go-w \(path)")
    }

    @Test func `a file with a command that belongs to another user is refused`() throws {
        // Only root can give a file away; root's own files are accepted for every user.
        if geteuid() == 0 { try FileManager.default.setAttributes([.ownerAccountID: 1], ofItemAtPath: path) }
        let file = try ProfileFile(text: Self.commands, path: path)
        let refused = #expect(throws: CommandProblem.self) { try file.requireSafeCommands(for: 0) }
        #expect(refused?.description.hasSuffix("the file belongs to another user.") == true)
        if geteuid() == 0 { try file.requireSafeCommands(for: 1) }
    }

    @Test func `a file without commands may be shared, and a pipe belongs to its user`() throws {
        try bench.write("a:\n  landscape: OAuth\n  values: { secret: { env: HOME } }\n", to: "own/profiles.yaml")
        try set(0o666, of: path)
        #expect(problem(path) == nil)
        let pipe = try bench.pipe(Self.commands, to: "pipe")
        #expect(problem(pipe) == nil)
    }
}
