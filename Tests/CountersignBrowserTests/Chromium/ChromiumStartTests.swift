#if os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The checks of a presenter before it starts a browser.
@Suite(.takesTurns) struct `Chromium before it starts` {
    private func error(
        _ configuration: ChromiumConfiguration, _ environment: [String: String]
    ) async throws -> ChromiumError {
        let presenter = ChromiumPresenter(configuration, limits: ChromiumLimits(), environment: environment)
        let failure = try await #require(throws: PresentationFailure.self) {
            try await presenter.present(try await Login.presentation())
        }
        guard case .load(let error as ChromiumError) = failure else { throw failure }
        return error
    }

    @Test func `a missing browser is reported with the names that were looked for`() async throws {
        let error = try await error(ChromiumConfiguration(executable: "no-such-browser", isHeadless: true), ["PATH": "/usr/bin"])
        #expect(error == .notFound(tried: ["no-such-browser"]))
        #expect("\(error)".contains("no-such-browser not found; install one, such as the package chromium"))
        // A relative path depends on the current directory, and may be any program.
        let relative = try await self.error(ChromiumConfiguration(executable: "./chromium", isHeadless: true), ["PATH": "/usr/bin"])
        #expect(relative == .notFound(tried: ["./chromium"]))
    }

    @Test(arguments: [[:], ["DISPLAY": "", "WAYLAND_DISPLAY": ""]])
    func `a window without a display is refused before a browser is started`(display: [String: String]) async throws {
        let error = try await error(ChromiumConfiguration(executable: "/bin/sh"), display)
        #expect(error == .noDisplay)
        #expect("\(error)".contains("ChromiumConfiguration.isHeadless"))
    }

    @Test func `a folder that cannot be made is reported with the reason and what to do`() async throws {
        let error = try await error(
            ChromiumConfiguration(executable: "/bin/sh", isHeadless: true), ["TMPDIR": "/no/such/folder/"])
        #expect(error == .cannotMakeProfile(folder: "/no/such/folder", reason: "No such file or directory"))
        #expect("\(error)".contains("set TMPDIR"))
    }

    @Test func `a program that the system does not run is reported with the reason`() async throws {
        let folder = try ChromiumBench.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = "\(folder)/browser"
        try Data("no program".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let error = try await error(ChromiumConfiguration(executable: program, isHeadless: true), ["TMPDIR": folder])
        #expect(error == .cannotStart(program: program, reason: "Exec format error"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["browser"])
    }

    @Test func `a login that is cancelled already starts nothing`() async throws {
        let presentation = try await Login.presentation()
        let login = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ChromiumPresenter(ChromiumConfiguration(executable: "no-such-browser")).present(presentation)
        }
        await #expect(throws: CancellationError.self) { try await login.value }
    }

    @Test func `it is a browser of the application's own, with a window and five minutes unless said otherwise`() {
        #expect(ChromiumPresenter().isEmbeddedWebView)
        #expect(ChromiumConfiguration() == ChromiumConfiguration(executable: nil, isHeadless: false, timeout: .seconds(300)))
    }

    @Test func `the first of the candidates that is a program is taken`() throws {
        let folder = try ChromiumBench.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, mode) in [("chromium", 0o644), ("google-chrome", 0o755), ("microsoft-edge", 0o755)] {
            try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
        }
        let names = ["chromium", "google-chrome", "microsoft-edge"]
        #expect(
            ChromiumExecutable(candidates: names, environment: ["PATH": "relative:\(folder)"]).path == "\(folder)/google-chrome")
        #expect(ChromiumExecutable(candidates: names, environment: [:]).path == nil)
        #expect(ChromiumExecutable(candidates: ["\(folder)/microsoft-edge"], environment: [:]).path == "\(folder)/microsoft-edge")
    }

    @Test func `only root's browser has no sandbox, and none has an address`() {
        let user = ChromiumArguments.list(userData: "/tmp/x", isHeadless: false, isRoot: false)
        let root = ChromiumArguments.list(userData: "/tmp/x", isHeadless: true, isRoot: true)
        #expect(!user.contains("--no-sandbox") && root.contains("--no-sandbox"))
        #expect(!user.contains("--headless=new") && root.contains("--headless=new"))
        #expect(user.contains("--user-data-dir=/tmp/x") && user.contains("--remote-debugging-pipe"))
        #expect(user.filter { !$0.hasPrefix("--") } == ["about:blank"])
        #expect(!(user + root).contains { $0.contains("ignore-certificate") })
    }
}
#endif
