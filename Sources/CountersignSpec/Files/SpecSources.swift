/// The files of a landscape.
package struct SpecSources: Sendable {
    /// The landscape's own YAML files.
    package var own: [SpecFile]
    /// All YAML files of the landscape that `extends` names; ignored without `extends`.
    package var inherited: [SpecFile]

    package init(own: [SpecFile], inherited: [SpecFile] = []) {
        self.own = own
        self.inherited = inherited
    }

    /// Reads files from disk. Files that cannot be read are reported: pass the diagnostics to ``SpecReader/read(_:unreadable:)``.
    package static func load(own: [String], inherited: [String] = []) -> (sources: SpecSources, diagnostics: [Diagnostic]) {
        let ownFiles = own.map { SpecFile.load(path: $0) }
        let inheritedFiles = inherited.map { SpecFile.load(path: $0) }
        return (
            SpecSources(own: ownFiles.compactMap(\.file), inherited: inheritedFiles.compactMap(\.file)),
            (ownFiles + inheritedFiles).compactMap(\.diagnostic)
        )
    }
}
