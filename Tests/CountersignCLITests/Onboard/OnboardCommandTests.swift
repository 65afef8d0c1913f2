import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// The command from no configuration to the first authenticated request, and at later runs.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardCommandTests {
    @Test func `the first run logs in, and the second asks nothing`() async throws {
        try await OnboardBench.run { bench in
            try await bench.run(bench.path("configuration.json"), "--json", "--request", "orders")
            let report = try bench.report()
            #expect(report.ok && !report.restored && report.status == 200 && report.bytes > 0)
            #expect(report.server == "\(try #require(Origin(bench.mock.baseURL)))" && report.applicationID == "com.example.app")
            #expect(bench.mock.statistics.oauth2.authorizations == 1)
            #expect(bench.recorded.messages.contains("Server: http://"))

            let second = OnboardBench(mock: bench.mock, folder: bench.folder)
            try await second.run("--json", "--request", "orders", canLogIn: false)
            #expect(try second.report().restored && second.report().ok)
            #expect(bench.mock.statistics.oauth2.authorizations == 1)
            #expect(second.recorded.messages == "")
        }
    }

    @Test func `what is kept is encrypted, and nothing that is printed is a secret`() async throws {
        try await OnboardBench.run { bench in
            try await bench.run(bench.path("configuration.json"))
            #expect(bench.recorded.output.hasPrefix("ok: onboarded at http://"))
            let names = try FileManager.default.subpathsOfDirectory(atPath: bench.path("store"))
            #expect(!names.isEmpty)
            for name in names {
                guard let data = FileManager.default.contents(atPath: bench.path("store/\(name)")) else { continue }
                for word in ["oauth2.clients", "accessToken", "refreshToken", "countersign:"] {
                    #expect(data.range(of: Data(word.utf8)) == nil, "\(name)")
                }
            }
            for text in [bench.recorded.output, bench.recorded.messages] {
                #expect(!text.contains("wonderland") && !text.contains("Bearer"))
            }
        }
    }

    @Test func `a link onboards`() async throws {
        try await OnboardBench.run { bench in
            let config = Data(bench.configuration.utf8).base64EncodedString().replacing("+", with: "%2B")
            try await bench.run("com.example.app://onboard?config=\(config)", "--json")
            #expect(try bench.report().ok)
        }
    }

    @Test func `M34 a link with a passcode onboards with nobody who could log in, and the next run asks nothing`() async throws {
        try await OnboardBench.run { bench in
            let scanned = try #require(bench.mock.makeCrossContextConfiguration()).base64EncodedString().replacing("+", with: "%2B")
            try await bench.run(
                "com.example.app://onboard?config=\(scanned)", "--json", "--request", "orders", canLogIn: false)
            #expect(try bench.report().ok && !bench.report().restored)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.password: 1])
            let second = OnboardBench(mock: bench.mock, folder: bench.folder)
            try await second.run("--json", "--request", "orders", canLogIn: false)
            #expect(try second.report().restored && second.report().ok)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.password: 1])
        }
    }

    @Test func `M35 at the mock it onboards from nothing, and restores`() async throws {
        let recorded = RecordedConsole()
        let command = try OnboardCommand.parse(["--mock"])
        try await OnboardRehearsal(command: command, console: recorded.console).run()
        let lines = recorded.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("ok: onboarded at http://127.0.0.1:") == true)
        #expect(lines.last?.hasPrefix("ok: restored at http://127.0.0.1:") == true)
        #expect(throws: (any Error).self) { try OnboardCommand.parse(["--mock", "configuration.json"]) }
    }

    @Test func `at the mock both results are one JSON document`() async throws {
        struct Both: Decodable {
            let onboarded: OnboardBench.Report
            let restored: OnboardBench.Report
        }
        let recorded = RecordedConsole()
        try await OnboardRehearsal(command: try OnboardCommand.parse(["--mock", "--json"]), console: recorded.console).run()
        let both = try JSONDecoder().decode(Both.self, from: Data(recorded.output.utf8))
        #expect(both.onboarded.ok && !both.onboarded.restored && both.restored.ok && both.restored.restored)
    }

    @Test func `the time limit is that of all runs at the mock, and not of each`() async throws {
        try await OnboardBench.run { bench in
            let run = try OnboardCommand.parse([
                bench.path("configuration.json"), "--timeout", "0.001", "--store", bench.path("store"), "--key-file",
                bench.path("key"),
            ])
            let presenter = FormFillingPresenter(user: "alice", password: "wonderland")
            let report = try await run.report(
                console: bench.recorded.console, presenter: presenter, barcodes: BarcodeProgram(program: "no-such-program"))
            #expect(report.ok)
        }
        let recorded = RecordedConsole()
        let command = try OnboardCommand.parse(["--mock", "--timeout", "0.001"])
        await #expect(throws: CommandExit.temporary) {
            try await OnboardRehearsal(command: command, console: recorded.console).run()
        }
        #expect(recorded.output == "" && recorded.messages.contains("error: The time limit of 0.001 seconds has passed."))
    }

    @Test func `an interrupted command has no error of the server`() async throws {
        let recorded = RecordedConsole()
        let command = try OnboardCommand.parse(["--mock", "--json"])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await command.limited(on: recorded.console) { throw CommandProblem("The server was not reached.") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(recorded.output == "" && recorded.messages == "")
    }

    @Test func `a mistake in the source is reported before one of the store`() async throws {
        try await OnboardBench.run { bench in
            try FileManager.default.removeItem(atPath: bench.path("key"))
            try bench.write("broken.json", Data("{".utf8))
            await #expect(throws: CommandExit.badData) { try await bench.run(bench.path("broken.json")) }
            await #expect(throws: CommandExit.noInput) { try await bench.run(bench.path("absent.json")) }
            #expect(!bench.recorded.messages.contains("The key file"))
            let right = bench.next
            await #expect(throws: CommandExit.noInput) { try await right.run(right.path("configuration.json")) }
            #expect(right.recorded.messages.contains("error: The key file cannot be read: "))
        }
    }

    @Test func `a picture is read by a decoder, and a missing one is said to be installed`() async throws {
        try await OnboardBench.run { bench in
            try bench.write("code.png", Data([0x89, 0x50, 0x4E, 0x47, 1]))
            await #expect(throws: CommandExit.noInput) { try await bench.run(bench.path("code.png")) }
            #expect(bench.recorded.messages.contains("zbar-tools"))
            // A stand-in for the decoder, which finds the configuration in a picture whose last byte is 1.
            let script = """
                #!/bin/sh
                case "$(tail -c 1 | od -An -tu1)" in *1) echo "QR-Code:$(cat "\(bench.path("configuration.json"))")" ;; *) exit 4 ;; esac
                """
            try bench.write("zbarimg", Data(script.utf8), permissions: 0o700)
            let decoder = BarcodeProgram(path: bench.folder.path)
            try await bench.run(bench.path("code.png"), "--json", barcodes: decoder)
            #expect(try bench.report().ok)

            let other = OnboardBench(mock: bench.mock, folder: bench.folder)
            try other.write("other.png", Data([0x89, 0x50, 0x4E, 0x47, 2]))
            await #expect(throws: CommandExit.badData) {
                try await other.run(other.path("other.png"), "--reset", barcodes: decoder)
            }
            #expect(other.recorded.messages.contains("no readable QR code in 'other.png'"))
        }
    }

    @Test func `a login that fails is reported with its step, and the next run continues there`() async throws {
        try await OnboardBench.run { bench in
            await #expect(throws: CommandExit.refused) { try await bench.run(bench.path("configuration.json"), canLogIn: false) }
            #expect(bench.recorded.messages.contains("OAuth2AuthenticationStep failed"))
            #expect(bench.recorded.messages.contains("\nhelp: "))
            #expect(!bench.recorded.messages.contains("c4n4ry"))
            #expect(bench.recorded.output == "")
            let second = OnboardBench(mock: bench.mock, folder: bench.folder)
            try await second.run("--json")
            #expect(try second.report().ok)
        }
    }

    @Test func `what is no configuration is bad data, and without one there is no input`() async throws {
        try await OnboardBench.run { bench in
            try bench.write("broken.json", Data(#"{"auth":"c4n4ry"}"#.utf8))
            await #expect(throws: CommandExit.noInput) { try await bench.run() }
            await #expect(throws: CommandExit.noInput) { try await bench.run(bench.path("absent.json")) }
            await #expect(throws: CommandExit.badData) { try await bench.run(bench.path("broken.json")) }
            await #expect(throws: CommandExit.badData) {
                try await bench.run("com.example.app://onboard?config=c4n4ry&config=c4n4ry")
            }
            #expect(!bench.recorded.messages.contains("c4n4ry"))
        }
    }

    @Test func `a key that a link names is judged by the file, and not by the link`() async throws {
        try await OnboardBench.run { bench in
            let store = bench.folder.appending(path: "store")
            try FileManager.default.createSymbolicLink(atPath: bench.path("link"), withDestinationPath: bench.path("key"))
            _ = try OnboardStore.key(file: bench.path("link"), folder: store)
            try bench.write("key", Data(repeating: 7, count: 32), permissions: 0o644)
            let open = #expect(throws: CommandProblem.self) { try OnboardStore.key(file: bench.path("link"), folder: store) }
            #expect(open?.description.contains("600") == true)

            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
            try bench.write("store/key", Data(repeating: 7, count: 32))
            let inner = bench.path("inner")
            try FileManager.default.createSymbolicLink(atPath: inner, withDestinationPath: bench.path("store/key"))
            let beside = #expect(throws: CommandProblem.self) { try OnboardStore.key(file: inner, folder: store) }
            #expect(beside?.description.contains("must not be in the folder") == true)
        }
    }

    @Test func `a key that others can read, or that lies beside what it encrypts, is refused`() async throws {
        try await OnboardBench.run { bench in
            try bench.write("key", Data(repeating: 7, count: 32), permissions: 0o644)
            await #expect(throws: CommandExit.badData) { try await bench.run(bench.path("configuration.json")) }
            try bench.write("key", Data("short".utf8))
            await #expect(throws: CommandExit.badData) { try await bench.run(bench.path("configuration.json")) }
            #expect(throws: CommandProblem.self) {
                try OnboardStore.key(file: bench.path("store/key"), folder: bench.folder.appending(path: "store"))
            }
            #expect(bench.recorded.messages.contains("600"))
        }
    }
}
