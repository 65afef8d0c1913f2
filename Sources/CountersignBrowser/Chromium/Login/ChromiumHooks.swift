#if os(macOS) || os(Linux)
/// What stands in for the user in tests.
struct ChromiumHooks: Sendable {
    /// JavaScript that runs in each document before its own.
    var script: String?
    /// Called when the browser's page is there.
    var shown: (@Sendable (ChromiumPage) async -> Void)?
}

/// A page of a browser.
struct ChromiumPage: Sendable {
    let connection: DevToolsConnection
    let session: String
}
#endif
