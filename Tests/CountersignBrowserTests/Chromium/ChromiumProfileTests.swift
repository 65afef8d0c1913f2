#if os(Linux)
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The folder of a browser, and the removal of folders that were left behind.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Chromium profile` {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try ChromiumBench.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func names(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }

    /// Makes a folder as a killed program leaves it.
    private func leftover(in folder: String, browser: String? = nil) throws -> String {
        let path = "\(folder)/\(ChromiumProfile.prefix)\(UUID().uuidString.prefix(6))"
        try FileManager.default.createDirectory(atPath: "\(path)/profile", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(path)/lock"))
        try Data("cookies".utf8).write(to: URL(fileURLWithPath: "\(path)/profile/Cookies"))
        if let browser { try Data(browser.utf8).write(to: URL(fileURLWithPath: "\(path)/browser")) }
        return path
    }

    @Test func `each has a folder of its own, which only its user may enter`() async throws {
        try await inFolder { folder in
            let one = try ChromiumProfile(in: folder)
            let two = try ChromiumProfile(in: folder)
            #expect(one.path != two.path && one.path.hasPrefix("\(folder)/\(ChromiumProfile.prefix)"))
            for path in [one.path, one.userData, one.temporary, one.cache, one.crashes] { #expect(try mode(path) == 0o700) }
            #expect(try mode("\(one.path)/lock") == 0o600)
            one.delete()
            two.delete()
            #expect(try names(in: folder) == [])
        }
    }

    @Test func `what a program left that runs no more is deleted, and what is in use is not`() async throws {
        try await inFolder { folder in
            let own = try ChromiumProfile(in: folder)
            _ = try leftover(in: folder)
            _ = try leftover(in: folder, browser: "no stamp")
            ChromiumProfile.removeLeftovers(in: folder)
            #expect(try names(in: folder) == [String(own.path.dropFirst(folder.count + 1))])
            own.delete()
        }
    }

    @Test func `a folder that is being made is left alone by a login that looks for leftovers at that moment`() async throws {
        try await inFolder { folder in
            let other = Task.detached { while !Task.isCancelled { ChromiumProfile.removeLeftovers(in: folder) } }
            // The loop ends at the first failure.
            let made = Result {
                for _ in 0..<1000 {
                    let profile = try ChromiumProfile(in: folder)
                    defer { profile.delete() }
                    #expect(FileManager.default.fileExists(atPath: profile.cache))
                }
            }
            other.cancel()
            await other.value
            try made.get()
            #expect(try names(in: folder) == [])
        }
    }

    @Test func `what is no folder of a browser stays`() async throws {
        try await inFolder { folder in
            let outside = "\(folder)/outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: "\(outside)/lock"))
            let link = "\(ChromiumProfile.prefix)link"
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: outside)
            let file = "\(ChromiumProfile.prefix)file"
            try Data().write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            // A folder that is still being made.
            let young = "\(ChromiumProfile.prefix)young"
            try FileManager.default.createDirectory(atPath: "\(folder)/\(young)", withIntermediateDirectories: true)
            ChromiumProfile.removeLeftovers(in: folder)
            #expect(try Set(names(in: folder)) == ["outside", link, file, young])
            #expect(try names(in: outside) == ["lock"])
        }
    }

    @Test func `a browser that was left behind is ended, and a stranger that has its number is not`() async throws {
        try await inFolder { folder in
            // Each process leads a group of its own, as a browser does, because `Process` starts programs that way.
            func process() throws -> Process {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/sleep")
                process.arguments = ["600"]
                try process.run()
                #expect(getpgid(process.processIdentifier) == process.processIdentifier)
                return process
            }
            let (browser, stranger) = (try process(), try process())
            // The processes inherit the blocked signals of the test's thread, so SIGTERM may not end them.
            defer { for process in [browser, stranger] { kill(process.processIdentifier, SIGKILL) } }
            let stamp = try #require(ProcessStamp(of: browser.processIdentifier))
            #expect(ProcessStamp(stamp.text) == stamp && stamp.isRunning)
            _ = try leftover(in: folder, browser: stamp.text)
            _ = try leftover(in: folder, browser: "\(stranger.processIdentifier) 1")
            ChromiumProfile.removeLeftovers(in: folder)
            browser.waitUntilExit()
            #expect(browser.terminationReason == .uncaughtSignal && browser.terminationStatus == SIGKILL)
            #expect(!stamp.isRunning)
            #expect(stranger.isRunning)
            #expect(try names(in: folder) == [])
        }
    }

    @Test(arguments: ["", "1", "1 1", "x 5", "5 x", "5 5 5", "-7 5"]) func `what is no stamp names no process`(text: String) {
        #expect(ProcessStamp(text) == nil)
    }

    @Test func `a folder that is full is reported with the system's reason`() async throws {
        // A name that is too long stands for all errors, because a test cannot fill a disk.
        #expect(throws: SystemFailure(code: ENAMETOOLONG)) { try ChromiumProfile(in: "/tmp/" + String(repeating: "x", count: 300)) }
        #expect(SystemFailure(code: ENOSPC).reason == "No space left on device")
    }
}
#endif
