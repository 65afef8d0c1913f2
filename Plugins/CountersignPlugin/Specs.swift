import Foundation
import PackagePlugin

/// The YAML files that a target's Swift is generated from.
struct Specs {
    private let own: [URL]
    private let inherited: [URL]
    /// The modules of the runtime that the target does not depend on.
    private let lacking: [String]

    /// - Parameter modules: The modules that the target depends on; `nil` if they are not known.
    init(own: [URL], inherited: [URL], modules: [String]?) {
        self.own = Self.sorted(own)
        self.inherited = Self.sorted(inherited)
        lacking = modules.map { modules in Self.runtime.filter { !modules.contains($0) } } ?? []
    }

    /// The modules that generated code may import. The tool knows which of them it imports.
    private static let runtime = [
        "Countersign", "CountersignFoundation", "CountersignGSSAPI", "CountersignIdentity", "CountersignJWT",
    ]

    /// Returns the YAML files of a target if it is a landscape.
    static func ofLandscape(_ files: [URL]) -> [URL] {
        let specs = yaml(files)
        return specs.contains { stem($0).lowercased() == "landscape" } ? specs : []
    }

    static func yaml(_ files: [URL]) -> [URL] { files.filter { ["yaml", "yml"].contains($0.pathExtension) } }

    /// Returns one command for all files, which reports all mistakes at once and writes only files that have changed.
    func commands(tool: URL, output: URL, target: String) -> [Command] {
        if own.isEmpty { return [] }
        let arguments =
            ["--output", output.path(percentEncoded: false)]
            + inherited.flatMap { ["--base", $0.path(percentEncoded: false)] } + lacking.flatMap { ["--lacking", $0] }
            + ["--"] + own.map { $0.path(percentEncoded: false) }
        return [
            .buildCommand(
                displayName: "Generating Swift from the specs of \(target)", executable: tool, arguments: arguments,
                inputFiles: own + inherited + [tool], outputFiles: outputNames.map { output.appending(path: $0) })
        ]
    }

    /// One output for each stem. Stems are compared without regard to case and spelled as the target's own file, as in the tool.
    private var outputNames: [String] {
        var names: [String: String] = [:]
        for file in own + inherited {
            let key = Self.stem(file).lowercased()
            names[key] = names[key] ?? "\(Self.stem(file)).generated.swift"
        }
        return names.values.sorted()
    }

    private static func stem(_ file: URL) -> String { file.deletingPathExtension().lastPathComponent }

    /// Returns the files sorted and without duplicates, so that the command is the same in each build.
    private static func sorted(_ files: [URL]) -> [URL] {
        Set(files).sorted { $0.path(percentEncoded: false) < $1.path(percentEncoded: false) }
    }
}
