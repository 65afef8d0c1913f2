#if os(macOS) || os(Linux)
/// The arguments of a browser. Other users of the machine can read them, so they contain no URL.
enum ChromiumArguments {
    /// Returns the arguments.
    ///
    /// - Parameters:
    ///   - userData: The folder of the profile.
    ///   - isHeadless: Whether the browser has no window.
    ///   - isRoot: Whether the user is root, for whom Chromium requires `--no-sandbox`.
    static func list(userData: String, isHeadless: Bool, isRoot: Bool) -> [String] {
        var arguments = [
            "--remote-debugging-pipe", "--user-data-dir=\(userData)",
            // These prevent questions to the user, and traffic other than the login's.
            "--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-sync", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-search-engine-choice-screen", "--no-pings",
            // A prerendered page is shown without a visible request.
            "--disable-features=Prerender2,Translate",
            // The profile's key must not be stored in a keyring, where it would remain.
            "--password-store=basic", "--use-mock-keychain",
            // Crash reports are disabled.
            "--disable-breakpad",
            // Containers often have little shared memory.
            "--disable-dev-shm-usage",
        ]
        if isHeadless { arguments.append("--headless=new") }
        if isRoot { arguments.append("--no-sandbox") }
        return arguments + ["about:blank"]
    }
}
#endif
