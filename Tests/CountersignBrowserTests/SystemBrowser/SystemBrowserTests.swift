#if os(macOS) || os(Linux)
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The programs that show a page, with scripts in place of browsers.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `System browser` {
    private static let page = "https://login.example/authorize?state=c4n4ry&scope=a%20b&x='$(touch%20pwned)';`id`&y=*"

    /// Runs a test with a folder of scripts, and removes it afterwards.
    private func withFolder(_ body: (Folder) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "countersign browser \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(Folder(url: url))
    }

    private struct Folder {
        let url: URL
        var path: String { url.path(percentEncoded: false) }

        /// Writes a program and returns its path.
        @discardableResult
        func program(_ name: String, _ script: String) throws -> String {
            let path = url.appending(path: name).path(percentEncoded: false)
            try Script.write("#!/bin/sh\n\(script)\n", to: path)
            return path
        }

        /// Writes a program that records the number of its arguments, and the first one.
        func recorder(_ name: String, ending status: Int = 0) throws -> String {
            try program(name, "printf '%s|%s|%s' \"$#\" \"$1\" \"$BROWSER\" > \"$0.seen\"; exit \(status)")
        }

        func seen(by name: String) -> String? { try? String(contentsOf: url.appending(path: "\(name).seen"), encoding: .utf8) }
    }

    private func open(_ text: String = page, in environment: [String: String]) async throws {
        try await SystemBrowser(environment: environment).open(try #require(URL(string: text)))
    }

    @Test func `the URL is one argument, whatever a shell would make of it`() async throws {
        try await withFolder { folder in
            let program = try folder.recorder("browser")
            try await open(in: ["BROWSER": program, "PATH": "/usr/bin:/bin"])
            let url = try #require(URL(string: Self.page)).absoluteString
            #expect(folder.seen(by: "browser") == "1|\(url)|")
        }
    }

    @Test func `BROWSER is a list of files, and the first that works is taken`() async throws {
        try await withFolder { folder in
            let broken = try folder.recorder("broken", ending: 3)
            _ = try folder.recorder("good")
            let later = try folder.recorder("later")
            try await open(in: [
                "BROWSER": "\(folder.path)/missing:\(folder.path):\(broken):good:\(later)",
                "PATH": "relative::\(folder.path):/usr/bin:/bin",
            ])
            #expect(folder.seen(by: "broken") != nil)
            #expect(folder.seen(by: "good") != nil)
            #expect(folder.seen(by: "later") == nil)
        }
    }

    @Test(arguments: [
        "browser %s", "browser; touch pwned", "$(browser)", "sh -c browser", "./browser", "../browser", "bin/browser",
    ])
    func `an entry of BROWSER is no command line, and nothing relative`(_ entry: String) async throws {
        try await withFolder { folder in
            _ = try folder.recorder("browser")
            #if os(Linux)
            let error = try await #require(throws: SystemBrowserError.self) {
                try await open(in: ["BROWSER": entry, "PATH": folder.path])
            }
            #expect(error == .notFound(tried: [entry, "xdg-open"]))
            #endif
            #expect(
                Launchers(environment: ["BROWSER": entry, "PATH": folder.path]).programs().allSatisfy { $0 == "/usr/bin/open" })
            #expect(folder.seen(by: "browser") == nil)
        }
    }

    #if os(Linux)
    @Test func `without BROWSER it is xdg-open, which gets no BROWSER either`() async throws {
        try await withFolder { folder in
            _ = try folder.recorder("xdg-open")
            try await open(in: ["BROWSER": "firefox %s", "PATH": "\(folder.path):/usr/bin:/bin"])
            #expect(folder.seen(by: "xdg-open")?.hasSuffix("|") == true)
        }
    }

    @Test func `where there is no browser, the error says what was looked for and what to do`() async throws {
        let error = try await #require(throws: SystemBrowserError.self) { try await open(in: ["PATH": "/nowhere"]) }
        #expect(error == .notFound(tried: ["xdg-open"]))
        #expect("\(error)".contains("no browser") && "\(error)".contains("BROWSER"))
    }
    #endif

    @Test func `browsers that fail are named, and the URL is not`() async throws {
        try await withFolder { folder in
            let program = try folder.recorder("xdg-open", ending: 3)
            let killed = try folder.program("killed", "kill -9 $$")
            let error = try await #require(throws: SystemBrowserError.self) {
                try await open(in: ["BROWSER": "\(killed):\(program)", "PATH": "/nowhere"])
            }
            #if os(Linux)
            #expect(error == .failed(programs: [killed, program]))
            #endif
            var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            dump(error, to: &text)
            #expect(!text.contains("c4n4ry") && !text.contains("login.example"))
        }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "--help", "mailto:a@b.example"])
    func `only web pages are opened`(_ text: String) async throws {
        try await withFolder { folder in
            let program = try folder.recorder("browser")
            await #expect(throws: SystemBrowserError.notAWebAddress) { try await open(text, in: ["BROWSER": program]) }
            #expect(folder.seen(by: "browser") == nil)
        }
    }

    @Test func `a browser that goes on is left alone when the login ends, and does not keep the port open`() async throws {
        try await withFolder { folder in
            // The program waits for the test, which holds the other end of the pipe, and then records that it was not ended.
            let pipe = "\(folder.path)/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let program = try folder.program(
                "browser",
                """
                printf '%s' "$1" > "$0.part"; mv "$0.part" "$0.seen"
                read line < '\(pipe)'
                cd '\(folder.path)'; echo "$line" > lived.part; mv lived.part lived.seen
                """
            )
            let browser = SystemBrowser(environment: ["BROWSER": program, "PATH": "/usr/bin:/bin"])
            let presenter = LoopbackPresenter { try await browser.open($0) }
            let presentation = try await Login.presentation()
            let task = Task { try await presenter.present(presentation) }
            let page = try await until { folder.seen(by: "browser") }
            let items = URLComponents(string: page)?.queryItems
            let redirectURL = try #require(items?.first { $0.name == "redirect_uri" }?.value.flatMap { URL(string: $0) })
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await expectRefusal(by: redirectURL)

            try Data("alive\n".utf8).write(to: URL(fileURLWithPath: pipe))
            #expect(try await until { folder.seen(by: "lived") } == "alive\n")
        }
    }

    /// Polls, because another process sends no notification. The suite's time limit bounds it.
    private func until(_ value: () -> String?) async throws -> String {
        while true {
            if let value = value() { return value }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
#endif
