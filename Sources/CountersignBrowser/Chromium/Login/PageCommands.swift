#if os(macOS) || os(Linux)
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The commands that a login needs of the DevTools protocol.
extension DevToolsConnection {
    /// Makes each page tell that it is there. Pages that others open wait until they are let go.
    func attachToPages() async throws {
        struct Parameters: Encodable {
            struct Filter: Encodable { var type = "page" }
            var autoAttach = true
            var waitForDebuggerOnStart = true
            var flatten = true
            var filter = [Filter()]
        }
        try await call("Target.setAutoAttach", Parameters())
    }

    /// Keeps files of pages out of the user's folders.
    func refuseDownloads() { send("Browser.setDownloadBehavior", ["behavior": "deny"]) }

    /// Makes a page tell what happens in it and wait before each document, and lets it go.
    ///
    /// - Parameter script: JavaScript that runs in each of its documents first.
    func prepare(_ session: String, script: String?) async throws {
        try await call("Page.enable", DevToolsNothing(), in: session)
        try await call("Network.enable", Self.fewBytes, in: session)
        // A service worker would answer for a server without a request that could be seen.
        try await call("Network.setBypassServiceWorker", ["bypass": true], in: session)
        try await call("Fetch.enable", Self.documents, in: session)
        if let script { try await call("Page.addScriptToEvaluateOnNewDocument", ["source": script], in: session) }
        try await call("Runtime.runIfWaitingForDebugger", DevToolsNothing(), in: session)
    }

    /// The same without a wait: the browser keeps the order of commands.
    func prepareLater(_ session: String, script: String?) {
        send("Page.enable", DevToolsNothing(), in: session)
        send("Network.enable", Self.fewBytes, in: session)
        send("Network.setBypassServiceWorker", ["bypass": true], in: session)
        send("Fetch.enable", Self.documents, in: session)
        if let script { send("Page.addScriptToEvaluateOnNewDocument", ["source": script], in: session) }
        send("Runtime.runIfWaitingForDebugger", DevToolsNothing(), in: session)
    }

    /// What comes of opening an address.
    struct Navigation: Decodable {
        let loaderId: String?
        let isDownload: Bool?
    }

    /// Opens an address, and returns when there is an answer.
    func navigate(_ session: String, to url: URL) async throws -> Navigation {
        try await call("Page.navigate", ["url": url.absoluteString], in: session, returning: Navigation.self)
    }

    /// Opens an address.
    func navigateLater(_ session: String, to url: URL) { send("Page.navigate", ["url": url.absoluteString], in: session) }

    /// Lets a request through that waits.
    func letThrough(_ interception: String, in session: String) {
        send("Fetch.continueRequest", ["requestId": interception], in: session)
    }

    /// Answers a message or a question of a script.
    func answerDialog(_ session: String, accepts: Bool) { send("Page.handleJavaScriptDialog", ["accept": accepts], in: session) }

    /// What an expression of JavaScript is worth in a page, if that is a truth value.
    func isTrue(_ expression: String, in session: String) async throws -> Bool {
        struct Parameters: Encodable {
            let expression: String
            var returnByValue = true
        }
        struct Evaluation: Decodable {
            struct Value: Decodable { let value: Bool? }
            let result: Value
        }
        return try await call("Runtime.evaluate", Parameters(expression: expression), in: session, returning: Evaluation.self)
            .result.value ?? false
    }

    /// All cookies that the browser has, those that scripts cannot see among them.
    func cookies() async throws -> [BrowserCookie] {
        struct Answer: Decodable { let cookies: [BrowserCookie] }
        return try await call("Storage.getCookies", DevToolsNothing(), returning: Answer.self).cookies
    }

    /// Gives the browser cookies. Those that it does not take are left out.
    func set(_ cookies: [CookieParameter]) async throws {
        guard !cookies.isEmpty else { return }
        do {
            try await call("Storage.setCookies", ["cookies": cookies])
        } catch is ChromiumError {
            // One that it does not take keeps all out.
            for cookie in cookies { send("Storage.setCookies", ["cookies": [cookie]]) }
        }
    }

    /// No content of requests and responses is kept for DevTools.
    private static let fewBytes = ["maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0]

    private static let documents = ["patterns": [["urlPattern": "*", "resourceType": "Document", "requestStage": "Request"]]]
}
#endif
