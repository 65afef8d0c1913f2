import ArgumentParser
import CountersignTesting
import Foundation
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import CountersignCLI

/// The command that builds and serves documentation, with the programs of the toolchain.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct DocsCommandTests {
    /// A package of one library with a catalog.
    private final class Place: Sendable {
        let path: String

        init(page: String = "A library that lends ``Book``s.") throws {
            path = FileManager.default.temporaryDirectory.appending(path: "countersign-docs-tests-\(UUID().uuidString)")
                .path(percentEncoded: false)
            try write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "lending", products: [.library(name: "Lending", targets: ["Lending"])], targets: [.target(name: "Lending")])
                """, to: "Package.swift")
            try write("/// A book.\npublic struct Book {}\n", to: "Sources/Lending/Book.swift")
            try write("# ``Lending``\n\n\(page)\n", to: "Sources/Lending/Lending.docc/Lending.md")
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
            // SwiftPM keeps its locks of the folder outside it, in files whose names contain that of the folder.
            let (folder, name) = (FileManager.default.temporaryDirectory, path.split(separator: "/").last ?? "")
            for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where file.contains(name) {
                try? FileManager.default.removeItem(at: folder.appending(path: file))
            }
        }

        func write(_ text: String, to name: String) throws {
            let file = URL(filePath: path).appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private struct Run {
        var output = "", messages = ""
        var exit = ExitCode(0)
    }

    private func run(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        until end: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Run {
        let recorded = RecordedConsole()
        let command = try #require(try CountersignCommand.parseAsRoot(["docs"] + arguments) as? DocsCommand)
        var run = Run()
        do {
            try await command.run(console: recorded.console, environment: environment, until: end)
        } catch let exit as ExitCode {
            run.exit = exit
        }
        run.output = recorded.output
        run.messages = recorded.messages
        return run
    }

    @Test func `one archive has every module, and is served`() async throws {
        let place = try Place()
        let output = place.path + "/site"
        let run = try await run(["--package-path", place.path, "--output", output, "--port", "0"])
        #expect(run.exit == ExitCode(0), "\(run.messages)")
        #expect(run.output.contains(#/^http://127\.0\.0\.1:\d+/documentation/\n$/#))
        #expect(run.messages.contains("[1/1] Lending\n0 warnings in 1 module\n"))
        for file in ["data/documentation/lending/book.json", "documentation/lending/index.html", "theme-settings.json"] {
            #expect(FileManager.default.fileExists(atPath: output + "/" + file), "\(file)")
        }
        let root = try String(contentsOfFile: output + "/index.html", encoding: .utf8)
        #expect(root.contains("location.replace(baseUrl + \"documentation/\")"))
        // An archive is replaced; a folder of anything else is not.
        try FileManager.default.removeItem(atPath: output + "/metadata.json")
        let again = try await self.run(["--package-path", place.path, "--output", output, "--no-serve"])
        #expect(again.exit == CommandExit.cannotCreate)
        #expect(again.messages.contains("is not a documentation archive, and is not replaced"))
        // A file is no folder of an archive.
        let below = place.path + "/Package.swift/site"
        let misplaced = try await self.run(["--package-path", place.path, "--output", below, "--no-serve"])
        #expect(misplaced.exit == CommandExit.cannotCreate)
        #expect(misplaced.messages.contains("error: The archive '\(below)' cannot be written: "), "\(misplaced.messages)")
    }

    @Test func `warnings are shown and counted, and can be errors`() async throws {
        let place = try Place(page: "See ``Shelf``.")
        let output = place.path + "/site"
        let run = try await run(["--package-path", place.path, "--output", output, "--no-serve"])
        #expect(run.exit == ExitCode(0), "\(run.messages)")
        #expect(run.output == output + "\n")
        #expect(run.messages.contains("Lending.md:3:7: warning: 'Shelf' doesn't exist at '/Lending'"))
        #expect(run.messages.contains("[1/1] Lending: 1 warning\n1 warning in 1 module\n"))
        let strict = try await self.run(["--package-path", place.path, "--no-serve", "--warnings-as-errors"])
        #expect(strict.exit == CommandExit.badData)
        #expect(strict.output == "")
    }

    @Test func `code that does not compile is shown as the compiler shows it`() async throws {
        let place = try Place()
        try place.write("public struct Book { let shelf: Shelf }\n", to: "Sources/Lending/Book.swift")
        let run = try await run(["--package-path", place.path, "--no-serve"])
        #expect(run.exit == CommandExit.badData)
        #expect(run.messages.contains("Book.swift:1:33: error: cannot find type 'Shelf' in scope"))
        #expect(run.messages.contains("error: 'swift package dump-symbol-graph' has failed."))
    }

    @Test func `a folder without a package is named`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-nothing-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try await run(["--package-path", folder])
        #expect(run.exit == CommandExit.noInput)
        #expect(run.messages.contains("There is no Package.swift in '\(folder)' or a folder above it."))
    }

    @Test func `a toolchain without DocC is named, and so is none at all`() async throws {
        let place = try Place()
        try place.write("", to: "bin/swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path + "/bin/swift")
        let without = try await run(["--package-path", place.path], environment: ["PATH": place.path + "/bin"])
        #expect(without.exit == CommandExit.noInput)
        #expect(without.messages.contains("has no 'docc'"))
        let none = try await run(["--package-path", place.path], environment: ["PATH": place.path])
        #expect(none.exit == CommandExit.noInput)
        #expect(none.messages.contains("There is no 'swift' in the folders of PATH."))
    }

    @Test func `a port that another process listens on is an error of its own`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        var ports = (asked: 0, refused: 0), isInUse = false
        try await FileServer.run(folder: folder, port: 0) { port in
            ports.asked = port
            do {
                try await FileServer.run(folder: folder, port: port) { _ in }
            } catch let error as FileServerError {
                ports.refused = error.port
                isInUse = error.isInUse
            }
        }
        #expect(ports.asked == ports.refused)
        #expect(isInUse)
    }

    @Test func `files are served with their types, and folders by their index`() async throws {
        let place = try Place()
        try place.write("<h1>Lending</h1>", to: "site/documentation/index.html")
        try place.write("{}", to: "site/data/a.json")
        try await FileServer.run(folder: place.path + "/site", port: 0) { port in
            func answer(_ path: String) async throws -> String {
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/\(path)"))
                let (data, response) = try await URLSession.shared.data(from: url)
                let head = try #require(response as? HTTPURLResponse)
                let type = head.value(forHTTPHeaderField: "Content-Type") ?? "-"
                return "\(head.statusCode) \(type) \(String(decoding: data, as: UTF8.self))"
            }
            let answers = [
                try await answer("documentation/"), try await answer("data/a.json"), try await answer("Package.swift"),
            ]
            #expect(answers[0] == "200 text/html <h1>Lending</h1>")
            #expect(answers[1] == "200 application/json {}")
            #expect(answers[2].hasPrefix("404 "))
        }
    }

    @Test func `a program that is cancelled ends, and so do those that it has started`() async throws {
        let place = try Place()
        let file = place.path + "/child"
        let task = Task {
            try await ChildProgram(
                program: URL(filePath: "/bin/sh"), arguments: ["-c", "sleep 600 & echo $! > '\(file)'; echo ready; wait"]
            ).run()
        }
        var child: Int32?
        while child == nil {
            try await Task.sleep(for: .milliseconds(10))
            child = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let number = try #require(child)
        // The process closes its files before it has ended, and may then still be a zombie.
        func isGone() -> Bool {
            let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            return kill(number, 0) != 0 || state?.contains(") Z ") == true
        }
        for _ in 0..<6_000 where !isGone() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isGone())
    }

    @Test func `the output of a program is separate from its errors, and arrives by lines`() async throws {
        let outcome = try await ChildProgram(
            program: URL(filePath: "/bin/sh"), arguments: ["-c", "echo one; echo two >&2; printf three; exit 3"]
        ).run()
        #expect(outcome.status == 3)
        #expect(outcome.output == "one\nthree")
        #expect(outcome.log.contains("two\n"))
        await #expect(throws: CommandProblem.self) {
            try await ChildProgram(program: URL(filePath: "/nothing"), arguments: []).run()
        }
    }
}
