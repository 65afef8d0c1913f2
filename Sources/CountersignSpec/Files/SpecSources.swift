/// What a landscape is read from.
public struct SpecSources: Sendable {
    /// The landscape's own YAML files.
    public var own: [SpecFile]
    /// All YAML files of the landscape that `extends` names; not looked at without `extends`.
    public var inherited: [SpecFile]

    public init(own: [SpecFile], inherited: [SpecFile] = []) {
        self.own = own
        self.inherited = inherited
    }

    /// Reads files from disk. What cannot be read is reported; hand the diagnostics on to ``SpecReader/read(_:unreadable:)``.
    public static func load(own: [String], inherited: [String] = []) -> (sources: SpecSources, diagnostics: [Diagnostic]) {
        let ownFiles = own.map { SpecFile.load(path: $0) }
        let inheritedFiles = inherited.map { SpecFile.load(path: $0) }
        return (
            SpecSources(own: ownFiles.compactMap(\.file), inherited: inheritedFiles.compactMap(\.file)),
            (ownFiles + inheritedFiles).compactMap(\.diagnostic)
        )
    }
}
