#if os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// A real browser with a server on this machine, and a folder that must contain all files of the browser.
struct ChromiumBench: Sendable {
    let site: TestSite
    /// The browser's `TMPDIR`.
    let folder: String

    static let program = ChromiumPresenter.findExecutable()
    static let missing: Comment = "there is no Chromium here; install one, such as the package chromium"

    /// Runs a test, and checks that no process and no file of the browsers remains.
    static func run(
        _ handler: @escaping TestSite.Handler = { _ in .page("<script>fetch('/shown')</script>") },
        _ body: (ChromiumBench) async throws -> Void
    ) async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestSite.run(handler) { site in
            try await body(ChromiumBench(site: site, folder: folder))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
            try await expectNoProcess(naming: folder)
        }
    }

    /// Makes a folder for a test, with a short path.
    static func temporaryFolder() throws -> String {
        var template = Array("/tmp/countersign-test-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Waits until no process has a text among its arguments. The browser's crash reporter ends by itself after the browser.
    static func expectNoProcess(naming text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<3_000 {
            guard !processes(naming: text).isEmpty else { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("still running: \(processes(naming: text))", sourceLocation: sourceLocation)
    }

    /// Returns the identifiers and arguments of the processes that have a text among their arguments.
    static func processes(naming text: String) -> [Int32: String] {
        var found: [Int32: String] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let number = Int32(name), let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                continue
            }
            let arguments = String(decoding: line, as: UTF8.self)
            if arguments.contains(text) { found[number] = arguments.replacing("\0", with: " ") }
        }
        return found
    }

    /// Returns the names of the sockets that a process has open.
    static func sockets(of process: String) -> Set<String> {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        let links = files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)") }
        return Set(links.filter { $0.hasPrefix("socket:") })
    }

    var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
    }

    /// Makes a presenter with a headless browser whose files are in the test's folder.
    func presenter(
        script: String? = nil, timeout: Duration = .seconds(120), limits: ChromiumLimits = ChromiumLimits(),
        shown: (@Sendable (ChromiumPage) async -> Void)? = nil
    ) -> ChromiumPresenter {
        ChromiumPresenter(
            ChromiumConfiguration(isHeadless: true, timeout: timeout), limits: limits, environment: environment,
            hooks: ChromiumHooks(script: script, shown: shown))
    }

    /// Makes a login at the server.
    func presentation(
        _ path: String = "/start", finish: String = "/done", match: FinishRule.Match = .path, cookies: [Cookie] = [],
        mover: PageMover? = nil
    ) throws -> WebPresentation {
        let jar = CookieJar()
        for cookie in cookies { jar.set(cookie) }
        let finish = finish.hasPrefix("/") ? site.origin + finish : finish
        return WebPresentation(
            authenticationMethod: "Test", url: try #require(URL(string: site.origin + path)),
            finish: FinishRule(try #require(URL(string: finish)), match: match), jar: jar, transport: NoTransport(), mover: mover)
    }

    /// Expects a login to end with an error of the presenter.
    func expectError(
        _ presenter: ChromiumPresenter, _ presentation: WebPresentation, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ChromiumError {
        let failure = await #expect(throws: PresentationFailure.self, sourceLocation: sourceLocation) {
            try await presenter.present(presentation)
        }
        guard case .load(let error as ChromiumError)? = failure else {
            Issue.record("\(String(describing: failure))", sourceLocation: sourceLocation)
            throw try #require(failure)
        }
        return error
    }
}
#endif
