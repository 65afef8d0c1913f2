#if os(Linux)
import Countersign
import Foundation
import NIOCore
import TestTurns
import Testing

@testable import CountersignBrowser

/// A third-party browser, with its speculative connections and its handling of redirects.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Chromium` {
    private static let program = ["chromium", "chromium-browser", "google-chrome"].compactMap { name in
        Launchers(environment: ["BROWSER": name, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]).programs().first
    }.first { !$0.hasSuffix("xdg-open") }

    @Test(.enabled(if: program != nil, "there is no Chromium here; install one, such as the package chromium"))
    func `a login comes back through Chromium, which shows the page at the end`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign chromium \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        let script = """
            #!/bin/sh
            timeout 170 '\(try #require(Self.program))' --headless --no-sandbox --disable-gpu --no-first-run \
                --user-data-dir='\(path)/profile' --dump-dom "$1" > '\(path)/page.html'
            """
        try Script.write(script, to: "\(path)/browser")

        // Longer than the test, so that the login ends only when the page has been read.
        var limits = ConnectionLimits()
        limits.pageTime = .hours(1)
        var environment = ProcessInfo.processInfo.environment
        environment["BROWSER"] = "\(path)/browser"
        let browser = SystemBrowser(environment: environment)
        let opened = SingleResult<Task<Void, any Error>>()
        let presenter = LoopbackPresenter(limits: limits) { page in
            opened.settle(.success(Task { try await browser.open(page) }))
        }
        try await LoginServer.run(at: "/remembered") { server in
            let result = try await presenter.present(try await Login.presentation(server: server))
            #expect(result.finishURL.query() == "code=c0de&state=s3cret")
            try await expectRefusal(by: try #require(result.redirectURL))
            // The browser ends by itself after it has written its page to the file.
            try await opened.value().value
        }
        let page = try String(contentsOf: folder.appending(path: "page.html"), encoding: .utf8)
        #expect(page.contains("<h1>You can close this window</h1>"))
    }
}
#endif
