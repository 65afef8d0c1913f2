/// No two types of the generated module, and not the module itself, share a name.
struct TypeNames {
    /// What is generated for each method of the surface `foundation`, by the end of its name.
    static let foundationSuffixes = ["Observer", "Authenticator", "Authentication", "Method"]

    /// The same of the surface `core`.
    static let coreSuffixes = ["Parameters", "Prompting", "Prompter", "Observer"]

    /// What is generated for each landscape of the surface `core`.
    static let landscapeSuffix = "Landscape"

    /// What is generated for an enrolment beside its class.
    static let enrolmentSuffixes = ["", "Method"]

    private struct Declaration {
        let name: String
        /// The text that declares it or brings it about.
        let source: Located<String>
        let isGenerated: Bool
    }

    private var declarations: [String: Declaration] = [:]

    static func check(_ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        var names = TypeNames()
        if let landscape = documents.landscape {
            if let name = landscape["landscape"]?.text {
                names.declare(name.value, by: name, isGenerated: false, into: &diagnostics)
                if documents.surface == .core {
                    names.declare(name.value + landscapeSuffix, by: name, isGenerated: true, into: &diagnostics)
                }
            }
            for entry in landscape["swift"]?.entries ?? [] where ["session", "task", "observing"].contains(entry.key.value) {
                guard let name = entry.value.text else { continue }
                // Two keys can name one type; what must not be is another declaration of it.
                names.declarations[name.value] = Declaration(name: name.value, source: name, isGenerated: false)
            }
            if let settings = landscape.entry("settings") {
                let name = landscape["swift"]?["settings"]?.text
                let usual = landscape["landscape"]?.text.map { Located("\($0.value)Settings", at: settings.key.location) }
                if let type = name ?? usual { names.declare(type.value, by: type, isGenerated: name == nil, into: &diagnostics) }
            }
            for entry in landscape["operations"]?.entries ?? [] { names.declareTypes(of: entry, into: &diagnostics) }
        }
        var seen: Set<String> = []
        // A second method of one name has its own message.
        let methods = documents.methods.filter { method in
            method.root["method"]?.text.map { seen.insert($0.value).inserted } ?? false
        }
        for method in methods {
            guard let name = method.root["method"]?.text else { continue }
            let suffixes =
                documents.surface == .core
                ? coreSuffixes : method.root.isEnrolment ? enrolmentSuffixes : foundationSuffixes
            for suffix in suffixes {
                names.declare(name.value + suffix, by: name, isGenerated: !suffix.isEmpty, into: &diagnostics)
            }
        }
        for method in methods {
            names.declareStructs(of: method.root, hasSurface: documents.surface == .foundation, into: &diagnostics)
            names.declareErrors(of: method.root, into: &diagnostics)
        }
        // In the end, since a variant's type hides all others in what is generated for it.
        for method in methods {
            guard let name = method.root["method"]?.text else { continue }
            for entry in method.root["variants"]?.entries ?? [] {
                names.declare(
                    ResolvedSurfaceGrant.typeName(of: entry.key.value), within: name.value, by: entry.key, isGenerated: true,
                    into: &diagnostics)
            }
        }
    }

    /// What is generated for an operation beside its method.
    private mutating func declareTypes(of operation: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        let named = operation.value["types"]?.text
        let stem = named?.value ?? ResolvedOperation.stem(of: operation.key.value)
        for type in ResolvedOperation.GeneratedType.allCases {
            let isGenerated =
                switch type {
                case .version: true
                case .parameters: operation.value["parameters"] != nil
                case .results: operation.value["results"] != nil
                }
            guard isGenerated else { continue }
            declare(stem + type.rawValue, by: named ?? operation.key, isGenerated: true, into: &diagnostics)
        }
    }

    /// The parameter structs of a method; those of the surface `core` are declared with all that is generated there.
    private mutating func declareStructs(
        of root: DocumentNode, hasSurface: Bool, into diagnostics: inout DiagnosticCollector
    ) {
        guard hasSurface, let method = root["method"]?.text else { return }
        let usual = Located("\(method.value)Parameters", at: method.location)
        let variants = root["variants"]?.entries.map(\.value) ?? []
        let hasOne =
            root["parameters"] != nil && (root.isEnrolment || root.prompt == nil)
        for node in variants.isEmpty && hasOne ? [root] : variants {
            let name = node["swift"]?["parameters"]?.text
            declare((name ?? usual).value, by: name ?? usual, isGenerated: name == nil, into: &diagnostics)
        }
    }

    /// The error types of a method.
    private mutating func declareErrors(of root: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard let errors = root.entry("errors"), let method = root["method"]?.text else { return }
        if let types = root["swift"]?["errors"] {
            declareKeys(of: types, into: &diagnostics)
        } else {
            declare(
                "\(method.value)Error", by: Located("\(method.value)Error", at: errors.key.location), isGenerated: true,
                into: &diagnostics)
        }
    }

    private mutating func declareKeys(of node: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        for entry in node?.entries ?? [] {
            declare(entry.key.value, by: entry.key, isGenerated: false, into: &diagnostics)
        }
    }

    /// - Parameter outer: What it is a part of; `nil` for a type of the landscape.
    private mutating func declare(
        _ name: String, within outer: String? = nil, by source: Located<String>, isGenerated: Bool,
        into diagnostics: inout DiagnosticCollector
    ) {
        let what = isGenerated ? "the generated type '\(name)'" : "'\(name)'"
        let path = outer.map { "\($0).\(name)" } ?? name
        if ReservedNames.types.contains(name) || outer != nil && ReservedNames.grants.contains(name) {
            diagnostics.report(.reservedName, "\(what) would hide a type that generated code needs", at: source.span)
        } else if let other = declarations[path] ?? declarations[name] {
            diagnostics.report(
                .collidingTypeName, "\(what) has the name of another type of the landscape", at: source.span,
                notes: [
                    Diagnostic.Note(other.isGenerated ? "generated for this method" : "the other one", at: other.source.location)
                ])
        } else {
            declarations[path] = Declaration(name: name, source: source, isGenerated: isGenerated)
        }
    }
}
