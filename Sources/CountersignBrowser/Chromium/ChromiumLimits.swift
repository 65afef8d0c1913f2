#if os(macOS) || os(Linux)
/// What a browser may cost, and how long it may take for what the user has no part in.
struct ChromiumLimits: Sendable {
    /// How long the browser may take to open its first page.
    var startTime = Duration.seconds(60)
    /// How long an error page is shown before it ends the login. It may have a script that leads on, as pages have that check the browser
    /// first, and the user may want to read it.
    var errorPageTime = Duration.seconds(5)
    /// How long the browser may take to close by itself, before it is killed.
    var closingTime = Duration.seconds(3)
    /// The most bytes of a message of the browser. The longest are lists of cookies: of 3,000 with 4 KiB each, 12 MiB.
    var messageBytes = 32 * 1024 * 1024
}
#endif
