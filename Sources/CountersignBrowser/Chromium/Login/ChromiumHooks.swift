#if os(macOS) || os(Linux)
/// The replacement of the user in tests.
struct ChromiumHooks: Sendable {
    /// JavaScript that runs in each document before the document's own.
    var script: String?
    /// Called when the first page is ready.
    var shown: (@Sendable (ChromiumPage) async -> Void)?
}

/// A page of a browser.
struct ChromiumPage: Sendable {
    let connection: DevToolsConnection
    let session: String
}
#endif
