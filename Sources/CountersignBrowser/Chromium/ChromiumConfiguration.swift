#if os(macOS) || os(Linux)
/// How a ``ChromiumPresenter`` shows a login.
///
/// ```swift
/// var configuration = ChromiumConfiguration()
/// configuration.isHeadless = true
/// ```
public struct ChromiumConfiguration: Sendable, Hashable {
    /// The browser's program: a path, or a name to look for in `PATH`; `nil` for the first that
    /// ``ChromiumPresenter/findExecutable()`` finds.
    public var executable: String?
    /// Whether the browser has no window, so that it needs no display. A login that the user has to take part in needs one.
    public var isHeadless: Bool
    /// How long a login may take, from the start of the browser; the browser is closed then.
    public var timeout: Duration

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - executable: The browser's program: a path, or a name to look for in `PATH`; `nil` for the first that is found.
    ///   - isHeadless: Whether the browser has no window.
    ///   - timeout: How long a login may take.
    public init(executable: String? = nil, isHeadless: Bool = false, timeout: Duration = .seconds(300)) {
        self.executable = executable
        self.isHeadless = isHeadless
        self.timeout = timeout
    }
}
#endif
