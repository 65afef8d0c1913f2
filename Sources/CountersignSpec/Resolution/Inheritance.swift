/// Merges a landscape's own documents with those of the landscape that it extends.
struct Inheritance {
    private let own: FileSet
    private let ownName: String
    private let unreadable: Set<String>
    private var provenance = Provenance()

    /// Resolves `extends` and `methods`. Without `extends`, the inherited files are ignored.
    ///
    /// - Parameter unreadable: The paths of existing files that could not be read, which has been reported.
    static func resolve(
        _ sources: SpecSources, unreadable: Set<String>, into diagnostics: inout DiagnosticCollector
    ) -> LandscapeDocuments {
        var inheritance = Inheritance(own: FileSet.read(sources.own, into: &diagnostics), unreadable: unreadable)
        return inheritance.resolve(inherited: sources.inherited, into: &diagnostics)
    }

    private init(own: FileSet, unreadable: Set<String>) {
        self.own = own
        self.unreadable = unreadable
        ownName = own.name?.value ?? ""
    }

    private mutating func resolve(
        inherited files: [SpecFile], into diagnostics: inout DiagnosticCollector
    ) -> LandscapeDocuments {
        guard let landscape = own.landscape else {
            let first = own.methods.first?.file
            if first == nil, !unreadable.isEmpty { return documents(landscape: nil) }
            if unreadable.contains(where: { SpecFile(path: $0, bytes: []).isLandscape }) { return documents(landscape: nil) }
            let place = (first ?? SpecFile(path: "landscape.yaml", bytes: [])).start
            diagnostics.report(
                .missingLandscape,
                first == nil ? "there is no landscape.yaml" : "there is no landscape.yaml beside this file", at: place)
            return documents(landscape: nil)
        }
        guard let root = landscape.root else { return documents(landscape: nil) }
        guard let extends = root["extends"] else {
            if let overrides = root.entry("methods") {
                diagnostics.report(
                    .methodsWithoutExtends, "'methods' overrides inherited methods; without 'extends' there are none",
                    at: overrides.keySpan)
            }
            return documents(landscape: root)
        }
        guard let base = extends.text else { return documents(landscape: root, isWhole: false) }
        let inherited = FileSet.read(files, into: &diagnostics)
        provenance.inheritance = (base, Set(files.map(\.path)))
        guard inherited.name?.value == base.value else {
            reportUnknown(base, span: extends.span, found: inherited, into: &diagnostics)
            return documents(landscape: root, isWhole: false)
        }
        if let chain = inherited.landscape?.root?.entry("extends") {
            diagnostics.report(
                .extendsChain, "'\(base.value)' itself extends a landscape; extend that one, or copy the differences",
                at: chain.keySpan)
        }
        return merged(root, with: inherited, into: &diagnostics)
    }

    private func reportUnknown(
        _ base: Located<String>, span: SourceSpan, found: FileSet, into diagnostics: inout DiagnosticCollector
    ) {
        // A landscape that exists but cannot be read has been reported.
        if let landscape = found.landscape, landscape.root == nil { return }
        if found.landscape == nil, unreadable.contains(where: { SpecFile(path: $0, bytes: []).isLandscape }) { return }
        let found = found.name.map { "; the inherited files are those of '\($0.value)'" } ?? ""
        diagnostics.report(
            .unknownLandscape,
            "there is no landscape '\(base.value)'\(found); add the target that contains it to the target's dependencies",
            at: span)
    }

    /// Returns the landscape's own documents without inherited ones.
    private func documents(landscape: DocumentNode?, isWhole: Bool = true) -> LandscapeDocuments {
        LandscapeDocuments(
            landscape: landscape, isWhole: isWhole && landscape != nil,
            methods: own.methods.compactMap { method($0, of: ownName) },
            omittedStems: [],
            provenance: provenance)
    }

    private func method(_ document: FileSet.Document, of landscape: String) -> LandscapeDocuments.Method? {
        document.root.map {
            LandscapeDocuments.Method(
                stem: document.file.stem,
                origin: landscape.isEmpty ? document.file.name : "\(landscape)/\(document.file.name)", root: $0)
        }
    }

    private mutating func merged(
        _ root: DocumentNode, with inherited: FileSet, into diagnostics: inout DiagnosticCollector
    ) -> LandscapeDocuments {
        let overrides = (root["methods"]?.entries ?? []).filter { isKnown($0, inherited: inherited, into: &diagnostics) }
        let omitted = inherited.methods.map(\.file.stem).filter { stem in
            overrides.contains { $0.key.value == stem && $0.value.text?.value == "omitted" }
        }
        var methods = own.methods.compactMap { method($0, of: ownName) }
        for document in inherited.methods where !omitted.contains(document.file.stem) {
            let override = overrides.first { $0.key.value == document.file.stem }
            if let method = inheritedMethod(document, of: inherited, override: override, into: &diagnostics) {
                methods.append(method)
            }
        }
        let landscape = mergedLandscape(root, over: inherited.landscape?.root)
        return LandscapeDocuments(
            landscape: landscape,
            isWhole: inherited.landscape?.root?["extends"] == nil,
            methods: methods.sorted { ($0.stem, $0.origin) < ($1.stem, $1.origin) }, omittedStems: omitted, provenance: provenance)
    }

    /// Returns the own landscape merged with the inherited one: mappings are merged, lists and texts replaced. A settings struct
    /// with another name replaces the inherited one.
    private mutating func mergedLandscape(_ root: DocumentNode, over inherited: DocumentNode?) -> DocumentNode {
        guard var base = inherited, case .mapping(let entries) = base.content else { return root }
        var notInherited: Set = ["countersign", "landscape", "extends", "methods"]
        if let own = root.entry("settings"), let other = base.entry("settings"), hasOtherSettings(root, than: base) {
            notInherited.formUnion(["settings", "server"])
            provenance.record(own, over: other.key.location)
        }
        base.content = .mapping(entries.filter { !notInherited.contains($0.key.value) })
        var merge = DocumentMerge(provenance: provenance)
        let merged = merge.merged(base, root, as: .construct(SpecLanguage.landscape))
        provenance = merge.provenance
        var landscape = root
        // The entries have the order of the own file, followed by inherited ones.
        let ownEntries = root.entries.compactMap { merged.entry($0.key.value) }
        landscape.content = .mapping(ownEntries + merged.entries.filter { root[$0.key.value] == nil })
        return landscape
    }

    /// Whether the landscape has a settings struct with another name than the inherited one.
    private func hasOtherSettings(_ root: DocumentNode, than base: DocumentNode) -> Bool {
        guard let name = root["swift"]?.text("settings") else { return false }
        return name != base["swift"]?.text("settings")
    }

    private mutating func inheritedMethod(
        _ document: FileSet.Document, of inherited: FileSet, override: DocumentNode.Entry?,
        into diagnostics: inout DiagnosticCollector
    ) -> LandscapeDocuments.Method? {
        let stem = document.file.stem
        if let other = own.methods.first(where: { $0.file.stem.lowercased() == stem.lowercased() }) {
            diagnostics.report(
                .inheritedStem,
                "'\(document.file.name)' is inherited; give this file another name, or write '\(stem): omitted' under 'methods'",
                at: other.file.start, notes: [Diagnostic.Note("the inherited file", at: document.file.start.location)])
            return nil
        }
        guard let method = method(document, of: inherited.name?.value ?? "") else { return nil }
        guard let override else { return method }
        var merge = MethodOverride(base: method.root, provenance: provenance)
        let root = merge.applying(override.value, into: &diagnostics)
        provenance = merge.provenance
        return LandscapeDocuments.Method(stem: method.stem, origin: method.origin, root: root)
    }

    /// Whether an override is for an inherited file. Others are reported.
    private func isKnown(
        _ override: DocumentNode.Entry, inherited: FileSet, into diagnostics: inout DiagnosticCollector
    ) -> Bool {
        let stem = override.key.value
        if inherited.methods.contains(where: { $0.file.stem == stem }) { return true }
        diagnostics.report(
            .unknownInheritedMethod, "there is no inherited file '\(stem).yaml'", at: override.keySpan, meaning: stem,
            among: inherited.methods.map(\.file.stem))
        return false
    }
}
