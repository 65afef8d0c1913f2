#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The DevTools commands of a login.
extension DevToolsConnection {
    /// Enables events for each new page. Pages that other pages open wait until they are resumed.
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

    /// Refuses all downloads.
    func refuseDownloads() { send("Browser.setDownloadBehavior", ["behavior": "deny"]) }

    /// Enables events of a page, makes it wait before each document, and resumes it.
    ///
    /// - Parameter script: JavaScript that runs in each document before the document's own.
    func prepare(_ session: String, script: String?) async throws {
        try await call("Page.enable", DevToolsNothing(), in: session)
        try await call("Network.enable", Self.fewBytes, in: session)
        // A service worker could respond in place of a server, without a visible request.
        try await call("Network.setBypassServiceWorker", ["bypass": true], in: session)
        try await call("Fetch.enable", Self.documents, in: session)
        if let script { try await call("Page.addScriptToEvaluateOnNewDocument", ["source": script], in: session) }
        try await call("Runtime.runIfWaitingForDebugger", DevToolsNothing(), in: session)
    }

    /// Does the same without waiting for responses. The browser executes commands in order.
    func prepareLater(_ session: String, script: String?) {
        send("Page.enable", DevToolsNothing(), in: session)
        send("Network.enable", Self.fewBytes, in: session)
        send("Network.setBypassServiceWorker", ["bypass": true], in: session)
        send("Fetch.enable", Self.documents, in: session)
        if let script { send("Page.addScriptToEvaluateOnNewDocument", ["source": script], in: session) }
        send("Runtime.runIfWaitingForDebugger", DevToolsNothing(), in: session)
    }

    /// The result of a navigation.
    struct Navigation: Decodable {
        let loaderId: String?
        let isDownload: Bool?
    }

    /// Loads a URL, and returns when there is a response.
    func navigate(_ session: String, to url: URL) async throws -> Navigation {
        try await call("Page.navigate", ["url": url.absoluteString], in: session, returning: Navigation.self)
    }

    /// Loads a URL without waiting.
    func navigateLater(_ session: String, to url: URL) { send("Page.navigate", ["url": url.absoluteString], in: session) }

    /// Continues a paused request.
    func letThrough(_ interception: String, in session: String) {
        send("Fetch.continueRequest", ["requestId": interception], in: session)
    }

    /// Continues a paused request as a `POST` with a form. The browser's history has its URL alone.
    ///
    /// - Parameters:
    ///   - form: The form, encoded.
    ///   - headers: The header fields of the request, which a continuation with one more field has to repeat.
    func letThrough(_ interception: String, in session: String, posting form: String, headers: [String: String]) {
        struct Field: Encodable {
            let name: String
            let value: String
        }
        struct Parameters: Encodable {
            let requestId: String
            var method = "POST"
            let postData: String
            let headers: [Field]
        }
        let kept = headers.filter { $0.key.lowercased() != "content-type" }.map { Field(name: $0.key, value: $0.value) }
        send(
            "Fetch.continueRequest",
            Parameters(
                requestId: interception, postData: Data(form.utf8).base64EncodedString(),
                headers: kept + [Field(name: "Content-Type", value: PageForm.contentType)]), in: session)
    }

    /// Answers a dialog of a script.
    func answerDialog(_ session: String, accepts: Bool) { send("Page.handleJavaScriptDialog", ["accept": accepts], in: session) }

    /// Evaluates a JavaScript expression in a page. Returns `false` if its value is not a Boolean.
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

    /// Returns all cookies of the browser, including `HttpOnly` ones.
    func cookies() async throws -> [BrowserCookie] {
        struct Answer: Decodable { let cookies: [BrowserCookie] }
        return try await call("Storage.getCookies", DevToolsNothing(), returning: Answer.self).cookies
    }

    /// Sets cookies in the browser. Those that it refuses are omitted.
    func set(_ cookies: [CookieParameter]) async throws {
        guard !cookies.isEmpty else { return }
        do {
            try await call("Storage.setCookies", ["cookies": cookies])
        } catch is ChromiumError {
            // If the browser refuses one cookie, it sets none of the list.
            for cookie in cookies { send("Storage.setCookies", ["cookies": [cookie]]) }
        }
    }

    /// Parameters that keep DevTools from buffering the content of requests and responses.
    private static let fewBytes = ["maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0]

    private static let documents = ["patterns": [["urlPattern": "*", "resourceType": "Document", "requestStage": "Request"]]]
}
#endif
