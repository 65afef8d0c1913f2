import ArgumentParser
import Countersign
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

@testable import CountersignCLI

/// The forms in which a configuration can be given, and the errors for other arguments.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardSourceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID())")
    private let json = #"{"auth":[],"host":"app.example"}"#

    /// Makes the folder, runs a body, and removes the folder.
    private func inFolder(_ body: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body()
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    private func read(_ argument: String, decoder: BarcodeProgram = BarcodeProgram(path: "/nowhere")) async throws -> OnboardSource
    {
        try await OnboardSource.read(argument, barcodes: decoder)
    }

    /// Returns the command's failure for an argument that cannot be used.
    private func failure(_ argument: String, decoder: BarcodeProgram = BarcodeProgram(path: "/nowhere")) async -> OnboardFailure? {
        do {
            _ = try await read(argument, decoder: decoder)
            return nil
        } catch {
            return OnboardFailure(error)
        }
    }

    /// Makes a decoder that finds the given codes in every picture.
    private func decoder(_ codes: String...) throws -> BarcodeProgram {
        let lines = codes.map { "QR-Code:\($0)" }.joined(separator: "\n")
        try Script.write("#!/bin/sh\ncat > /dev/null\ncat <<'END'\n\(lines)\nEND\n", to: path("decoder"))
        return BarcodeProgram(program: path("decoder"))
    }

    // MARK: Arguments

    @Test(arguments: [
        #"{"auth":[{"type":"oauth2","config":{"oauth2.clients":[{"passcode":"c4n4ry"}]}}]"#, "  {\"passcode\": \"c4n4ry\"",
        "myapp://onboard?Config=c4n4ry", "MyApp:onboard?config=c4n4ry", "https://c4n4ry.example/x", "app.example/x?CONFIG=c4n4ry",
        "c4n4ry", "/nowhere/c4n4ry\u{1B}[2J", String(repeating: "c4n4ry", count: 2000),
    ])
    func `an argument that is no configuration is not repeated`(argument: String) async throws {
        try await inFolder {
            let failure = try #require(await failure(argument))
            #expect(!failure.text.contains("c4n4ry") && failure.remedy?.contains("c4n4ry") != true)
            #expect(failure.exit == CommandExit.badData || failure.exit == CommandExit.noInput)
        }
    }

    @Test func `words that the shell made of one argument are not repeated`() throws {
        let error = #expect(throws: (any Error).self) { try OnboardCommand.parse(["{auth:", "[passcode:", "c4n4ry]}"]) }
        let text = OnboardCommand.fullMessage(for: try #require(error))
        #expect(text.contains("more than one source") && !text.contains("c4n4ry"))
    }

    @Test func `JSON, links in any spelling, and files of them are configurations`() async throws {
        try await inFolder {
            let parameter = OnboardBench.parameter(Data(json.utf8))
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>host</key><string>app.example</string><key>x</key><string>config=1</string></dict></plist>
                """
            for argument in [
                json, " \(json)\n", "myapp://onboard?config=\(parameter)", "MYAPP://onboard?a=b&Config=\(parameter)",
                try write("a.json", json), try write("b.plist", plist), try write("c.txt", "myapp://onboard?config=\(parameter)\n"),
                "file://\(try write("d.json", "\u{FEFF}" + json))",
            ] {
                #expect(try await read(argument).configuration.values().baseURL?.host() == "app.example", "\(argument)")
            }
        }
    }

    @Test func `an error names the file that the configuration was read from`() async throws {
        try await inFolder {
            let text =
                #"{"auth":[{"type":"oauth2","config":{"oauth2.clients":[{"clientID":"a","grantType":"authorization_code"}]}}],"host":"h"}"#
            let error = await #expect(throws: ConfigurationError.self) { _ = try await read(try write("mine.json", text)) }
            #expect(error == .missingKey("oauth2.clients[0].redirectURL", source: "mine.json"))
        }
    }

    @Test func `a passcode is in what the flow gets, and in no configuration that is looked at`() async throws {
        try await inFolder {
            let text = """
                {"auth":[{"type":"oauth2","config":{"oauth2.clients":[{"clientID":"a","redirectURL":"a.b:/c","grantType":"password",
                "passcode":"c4n4ry"}]}}],
                "host":"app.example"}
                """
            let source = try await read(try write("a.json", text))
            #expect(!"\(source.configuration)".contains("c4n4ry"))
            let loaded = try ConfigurationLoader(providers: [source.provider]).loadConfiguration()
            #expect(try loaded.passcode?.redeem() == "c4n4ry")
        }
    }

    // MARK: Files

    @Test func `a file that is empty and a folder are said to be that`() async throws {
        try await inFolder {
            #expect(await failure(try write("empty.json", ""))?.text == "'empty.json' is empty.")
            #expect(await failure(folder.path)?.text.hasSuffix("is a folder.") == true)
            let absent = try #require(await failure(path("absent.json")))
            #expect(absent.exit == CommandExit.noInput && absent.text.contains("not the path of an existing file"))
        }
    }

    @Test func `the name of a file that is there is shown without what a terminal obeys`() async throws {
        try await inFolder {
            let failure = try #require(await failure(try write("a\u{1B}[2J.json", "[")))
            #expect(failure.text.contains("a\\u{1B}[2J.json"))
            #expect(failure.exit == CommandExit.badData)
        }
    }

    @Test func `a pipe is read to its end`() async throws {
        try await inFolder {
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            try pipe.fileHandleForWriting.write(contentsOf: Data(json.utf8))
            try pipe.fileHandleForWriting.close()
            #expect(try await read("/dev/fd/\(descriptor)").configuration.values().baseURL?.host() == "app.example")
            try pipe.fileHandleForReading.close()
        }
    }

    @Test func `what comes from a pipe has no number for a name`() async throws {
        try await inFolder {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("[".utf8))
            try pipe.fileHandleForWriting.close()
            let failure = try #require(await failure("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
            #expect(failure.text.contains("In the given input, the text is not JSON."))
        }
    }

    @Test func `a pipe that nobody writes to is waited for only so long`() async throws {
        try await inFolder {
            #expect(mkfifo(path("pipe"), 0o600) == 0)
            let error = await #expect(throws: CommandProblem.self) {
                try await InputFile(path: path("pipe"), patience: .zero).read()
            }
            // Some systems report at once that the other end is not open.
            #expect(
                error?.description.hasPrefix("No data was received from 'pipe'") == true
                    || error?.description.contains("empty") == true
            )
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/zero"), "there is no /dev/zero here"))
    func `what has no end is read to a limit, which is said`() async throws {
        try await inFolder { #expect(await failure("/dev/zero")?.text == "'zero' has more than 32 MiB.") }
    }

    // MARK: Pictures

    @Test(arguments: [
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"),
        ("<?xml version='1.0'?>\n<!-- code -->\n<SVG/>", "an SVG drawing"), ("%PDF-1.7", "a PDF document"),
        ("\u{0}\u{0}\u{0} ftypheic", "a HEIC or AVIF picture"),
    ])
    func `a picture that the decoder does not get is called what it is`(content: String, kind: String) async throws {
        try await inFolder {
            let failure = try #require(await failure(try write("code", content)))
            #expect(failure.text == "'code' is \(kind), which the QR code decoder does not support.")
            #expect(failure.remedy?.contains("PNG") == true)
        }
    }

    @Test func `of several codes the one that is a configuration is taken`() async throws {
        try await inFolder {
            let picture = try write("code.gif", "GIF89a")
            let one = try decoder("https://example.com/shop", json, json)
            #expect(try await read(picture, decoder: one).configuration.values().baseURL?.host() == "app.example")
            let none = try #require(await failure(picture, decoder: try decoder("c4n4ry", "https://example.com")))
            #expect(none.text == "There are 2 QR codes in 'code.gif', and none is a configuration.")
            let two = try decoder(json, json.replacing("app.", with: "other."))
            #expect(
                await failure(picture, decoder: two)?.text
                    == "There are 2 QR codes in 'code.gif', and more than one is a configuration.")
            let single = try #require(await failure(picture, decoder: try decoder("c4n4ry")))
            #expect(single.text.contains("In the text, the text is not JSON") || single.text.contains("code.gif"))
        }
    }

    // MARK: The question

    @Test func `an answer may be all that an argument may be, and after an error the question is asked again`() async throws {
        try await OnboardBench.run { bench in
            let answers = Mutex([bench.path("absent.json"), bench.path("empty.json"), bench.path("configuration.json")])
            try bench.write("empty.json", Data())
            try await bench.run("--json", reader: { _ in answers.withLock { $0.removeFirst() } })
            #expect(try bench.report().ok)
            #expect(bench.recorded.messages.contains("not the path of an existing file"))
            #expect(bench.recorded.messages.contains("'empty.json' is empty."))
            #expect(answers.withLock { $0.isEmpty })
        }
    }

    @Test func `three unusable answers, or none, end it`() async throws {
        try await OnboardBench.run { bench in
            let questions = Mutex(0)
            await #expect(throws: CommandExit.noInput) {
                try await bench.run(reader: { _ in
                    questions.withLock { $0 += 1 }
                    return "/nowhere/c4n4ry"
                })
            }
            #expect(questions.withLock { $0 } == 3)
            #expect(!bench.recorded.messages.contains("c4n4ry"))
            let silent = bench.next
            await #expect(throws: CommandExit.noInput) { try await silent.run(reader: { _ in nil }) }
            #expect(silent.recorded.messages.contains("countersign onboard FILE"))
        }
    }
}
