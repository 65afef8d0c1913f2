#if os(macOS) || os(Linux)
/// What a browser is started with. Other users of the machine can read it, so no address is among it.
enum ChromiumArguments {
    /// The arguments.
    ///
    /// - Parameters:
    ///   - userData: The folder of the profile.
    ///   - isHeadless: Whether the browser has no window.
    ///   - isRoot: Whether the user is root, for whom Chromium runs without a sandbox or not at all.
    static func list(userData: String, isHeadless: Bool, isRoot: Bool) -> [String] {
        var arguments = [
            "--remote-debugging-pipe", "--user-data-dir=\(userData)",
            // No questions, and no traffic but the login's.
            "--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-sync", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-search-engine-choice-screen", "--no-pings",
            // A page that is loaded ahead is shown without a request that could be seen.
            "--disable-features=Prerender2,Translate",
            // The profile's key is kept in no keyring, where it would stay.
            "--password-store=basic", "--use-mock-keychain",
            // Crashes are reported to no one.
            "--disable-breakpad",
            // Containers have little shared memory.
            "--disable-dev-shm-usage",
        ]
        if isHeadless { arguments.append("--headless=new") }
        if isRoot { arguments.append("--no-sandbox") }
        return arguments + ["about:blank"]
    }
}
#endif
