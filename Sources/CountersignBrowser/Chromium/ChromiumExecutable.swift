#if os(macOS) || os(Linux)
/// The installation paths of Chromium and of browsers that are based on it.
struct ChromiumExecutable: Sendable {
    /// Names in `PATH`, and paths, in order of preference.
    let candidates: [String]
    private let search: ProgramSearch

    init(candidates: [String] = Self.usual, environment: [String: String]) {
        self.candidates = candidates
        search = ProgramSearch(environment: environment)
    }

    /// The path of the first installed candidate; `nil` if there is none.
    var path: String? { candidates.lazy.compactMap(search.path).first }

    #if os(macOS)
    static let usual =
        ["Chromium", "Google Chrome", "Microsoft Edge"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        + ["chromium", "google-chrome", "microsoft-edge"]
    #else
    static let usual = [
        "chromium", "chromium-browser", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/lib/chromium/chromium",
        "/snap/bin/chromium", "google-chrome", "google-chrome-stable", "/opt/google/chrome/chrome", "microsoft-edge",
        "microsoft-edge-stable", "/opt/microsoft/msedge/msedge",
    ]
    #endif
}
#endif
