#if os(Linux)
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// Logins of a program that is killed during the login, or that has no space for a browser.
@Suite(
    .takesTurns, .timeLimit(.minutes(10)), .enabled(if: ChromiumBench.program != nil, ChromiumBench.missing)
) struct `Chromium of another program` {
    /// Makes the process of the other program without starting it.
    private func program(at bench: ChromiumBench, wrapper: [String] = [], browser: String? = nil) throws -> Process {
        // The program was built with these tests, and is in the same folder.
        let bundles = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }
        let candidates = bundles.compactMap { $0?.deletingLastPathComponent().appending(path: "ChromiumContender") }
        let program = try #require(
            candidates.map { $0.path(percentEncoded: false) }.first { FileManager.default.isExecutableFile(atPath: $0) })
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            wrapper + [program, bench.folder, "\(bench.site.origin)/start", "\(bench.site.origin)/done"]
            + [browser].compactMap(\.self)
        return process
    }

    private static let handler: TestSite.Handler = { $0.path == "/next" ? .redirect("/done") : .page("waiting") }

    @Test func `a browser ends with its program, and the next login deletes its profile`() async throws {
        try await ChromiumBench.run(Self.handler) { bench in
            let process = try program(at: bench)
            try process.run()
            _ = await bench.site.request(of: "/start")
            #expect(!ChromiumBench.processes(naming: bench.folder).isEmpty)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try await ChromiumBench.expectNoProcess(naming: bench.folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).count == 1)
            _ = try await bench.presenter().present(try bench.presentation("/next"))
        }
    }

    @Test(arguments: [[], ["sh", "-c", "ulimit -n 64\nexec \"$@\"", "sh"]])
    func `a browser that hangs is ended by the next login, however few files its program may open`(wrapper: [String]) async throws {
        try await ChromiumBench.run(Self.handler) { bench in
            // This browser neither reads its input nor notices that its program has ended.
            let browser = "\(bench.folder)/hanging"
            try Script.write("#!/bin/sh\nsleep 600\n", to: browser)
            let process = try program(at: bench, wrapper: wrapper, browser: browser)
            // With these files open, the descriptor by which `Process` watches its child has a number above the child's limit.
            let files = (0..<80).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            try process.run()
            for file in files { close(file) }
            try await within("the browser is noted") {
                while !Self.hasNote(in: bench.folder), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
            }
            let browsers = ChromiumBench.processes(naming: "--user-data-dir=\(bench.folder)")
            #expect(!browsers.isEmpty)
            // The one socket is that of DevTools, so no socket waits for the end of the program.
            for browser in browsers.keys { #expect(ChromiumBench.sockets(of: "\(browser)").count == 1) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try FileManager.default.removeItem(atPath: browser)
            _ = try await bench.presenter().present(try bench.presentation("/next"))
        }
    }

    /// Whether a browser's folder in this folder contains the record of its process.
    private static func hasNote(in folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)/browser").map { !$0.isEmpty } ?? false
        }
    }

    // MARK: Full disks

    /// Returns a wrapper that mounts a small file system as the folder for temporary files, visible to the program only.
    private static func mounting(_ options: String, at folder: String) -> [String] {
        ["unshare", "-m", "sh", "-ec", "mount -t tmpfs -o \(options) tmpfs '\(folder)'\nexec \"$@\"", "sh"]
    }

    private static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = mounting("size=32k", at: "/mnt") + ["true"]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private func output(at bench: ChromiumBench, options: String) throws -> String {
        let process = try program(at: bench, wrapper: Self.mounting(options, at: bench.folder))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: text ?? Data(), as: UTF8.self)
    }

    @Test(.enabled(if: canMount, "needs the right to mount a file system"))
    func `a full disk is reported before a browser is started`() async throws {
        try await ChromiumBench.run(Self.handler) { bench in
            let start = "cannot make a folder for the browser's profile in \(bench.folder): No space left on device; "
            for options in ["nr_inodes=1", "nr_inodes=4"] {
                let text = try output(at: bench, options: options)
                #expect(text.hasPrefix(start))
            }
            #expect(bench.site.requests == [])
        }
    }

    @Test(.enabled(if: canMount, "needs the right to mount a file system"))
    func `a disk that becomes full does not end a login`() async throws {
        try await ChromiumBench.run({ _ in .redirect("/done") }) { bench in
            let text = try output(at: bench, options: "size=64k")
            #expect(text == "finished\n")
        }
    }
}
#endif
