#if os(macOS) || os(Linux)
/// The limits of a browser's memory, and of its time without user interaction.
struct ChromiumLimits: Sendable {
    /// The time limit for opening the first page.
    var startTime = Duration.seconds(60)
    /// The time for which an error page is shown before it ends the login. Its script may continue the login, like the browser
    /// checks of some sites, and the user may want to read it.
    var errorPageTime = Duration.seconds(5)
    /// The time limit for closing the browser, after which it is killed.
    var closingTime = Duration.seconds(3)
    /// The maximum size of a message in bytes. The longest messages are lists of cookies: 3,000 of 4 KiB each are 12 MiB.
    var messageBytes = 32 * 1024 * 1024
}
#endif
