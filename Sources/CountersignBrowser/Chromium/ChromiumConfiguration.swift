#if os(macOS) || os(Linux)
/// The configuration of a ``ChromiumPresenter``.
///
/// ```swift
/// var configuration = ChromiumConfiguration()
/// configuration.isHeadless = true
/// ```
public struct ChromiumConfiguration: Sendable, Hashable {
    /// The browser's executable: a path, or a name in `PATH`; `nil` for the first one that ``ChromiumPresenter/findExecutable()``
    /// finds.
    public var executable: String?
    /// Whether the browser has no window and needs no display. A login with user input needs a window.
    public var isHeadless: Bool
    /// The time limit of a login, from the start of the browser.
    public var timeout: Duration

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - executable: The browser's executable: a path, or a name in `PATH`; `nil` for the first one that is found.
    ///   - isHeadless: Whether the browser has no window.
    ///   - timeout: The time limit of a login.
    public init(executable: String? = nil, isHeadless: Bool = false, timeout: Duration = .seconds(300)) {
        self.executable = executable
        self.isHeadless = isHeadless
        self.timeout = timeout
    }
}
#endif
