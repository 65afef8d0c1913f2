import Foundation

/// The programs of the toolchain that build documentation.
struct DocumentationTools: Sendable {
    let swift: URL
    let docc: URL

    /// Finds the programs in the folders of `PATH`, and `docc` also in the folder of the toolchain's `swift`. `DOCC_EXEC` names
    /// another `docc`, as it does for the DocC plugin.
    ///
    /// - Parameter swift: The program `swift`, in place of one in the folders of `PATH`.
    /// - Throws: ``CommandProblem``, with what to install.
    init(environment: [String: String] = ProcessInfo.processInfo.environment, swift given: URL? = nil) throws {
        guard let swift = given ?? ProgramFolders(environment: environment).find("swift") else {
            throw CommandProblem(
                "There is no 'swift' in the folders of PATH.", remedy: "Install a Swift toolchain: https://www.swift.org/install.",
                exit: CommandExit.noInput)
        }
        let toolchain = swift.resolvingSymlinksInPath().deletingLastPathComponent().path
        let named = environment["DOCC_EXEC"].map { URL(filePath: $0) }
        let folders = ProgramFolders(environment: environment, and: [toolchain] + Self.selected(in: environment))
        guard let docc = named ?? folders.find("docc") else {
            throw CommandProblem(
                "The toolchain of '\(swift.path)' has no 'docc'.",
                remedy: "Install a toolchain of https://www.swift.org/install, or name the program in the variable DOCC_EXEC.",
                exit: CommandExit.noInput)
        }
        self.swift = swift
        self.docc = docc
    }

    /// Returns the folder of the selected Xcode's toolchain, whose `docc` is not in the folders of `PATH`.
    private static func selected(in environment: [String: String]) -> [String] {
        #if os(macOS)
        let developer = environment["DEVELOPER_DIR"] ?? "/Applications/Xcode.app/Contents/Developer"
        return [developer + "/Toolchains/XcodeDefault.xctoolchain/usr/bin"]
        #else
        return []
        #endif
    }
}
