#if os(macOS) || os(Linux)

/// The programs that may show a page, as the environment names them.
struct Launchers: Sendable {
    /// As they are named, in the order of the attempts.
    let names: [String]
    /// What the programs get. `xdg-open` reads `BROWSER` too, as command lines; here it has been read already, as files.
    let environment: [String: String]
    private let search: ProgramSearch

    init(environment: [String: String]) {
        names = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init) + [Self.standard]
        search = ProgramSearch(environment: environment)
        var environment = environment
        environment["BROWSER"] = nil
        self.environment = environment
    }

    /// Whether one of those is there that the user names.
    var hasNamedProgram: Bool { names.dropLast().contains { search.path(of: $0) != nil } }

    /// The paths of those that are there.
    func programs() -> [String] { names.compactMap(search.path) }

    #if os(macOS)
    private static let standard = "/usr/bin/open"
    #else
    private static let standard = "xdg-open"
    #endif
}
#endif
