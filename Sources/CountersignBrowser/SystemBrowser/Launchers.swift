#if os(macOS) || os(Linux)

/// The programs that can open a page, from the environment variables.
struct Launchers: Sendable {
    /// The names as given, in the order in which they are tried.
    let names: [String]
    /// The environment variables of the programs. `BROWSER` is removed, because `xdg-open` would interpret it as command lines.
    let environment: [String: String]
    private let search: ProgramSearch

    init(environment: [String: String]) {
        names = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init) + [Self.standard]
        search = ProgramSearch(environment: environment)
        var environment = environment
        environment["BROWSER"] = nil
        self.environment = environment
    }

    /// Whether a program in `BROWSER` exists.
    var hasNamedProgram: Bool { names.dropLast().contains { search.path(of: $0) != nil } }

    /// Returns the paths of the existing programs.
    func programs() -> [String] { names.compactMap(search.path) }

    #if os(macOS)
    private static let standard = "/usr/bin/open"
    #else
    private static let standard = "xdg-open"
    #endif
}
#endif
