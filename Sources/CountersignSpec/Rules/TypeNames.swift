/// The rule that the types of the generated module and the module itself have different names.
struct TypeNames {
    /// The suffixes of the types that are generated for each method of the surface `foundation`.
    static let foundationSuffixes = ["Observer", "Authenticator", "Authentication", "Method"]

    /// The suffixes of the types that are generated for each method of the surface `core`.
    static let coreSuffixes = ["Parameters", "Credential", "Prompting", "Prompter", "Observer"]

    /// The suffix of the type that is generated for each landscape of the surface `core`.
    static let landscapeSuffix = "Landscape"

    /// The suffixes of an enrolment's types: its class, and the type that is generated beside it.
    static let enrolmentSuffixes = ["", "Method"]

    private struct Declaration {
        let name: String
        /// The text that declares the type, or for which it is generated.
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
            for entry in landscape["swift"]?.entries ?? [] where ["session", "observing"].contains(entry.key.value) {
                guard let name = entry.value.text else { continue }
                // Several keys may name the same type, but it must not be declared elsewhere.
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
        // A second method with the same name is reported by `MethodNames`.
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
        // Variants are declared last, since the type of a variant hides all others of that name in the code generated for it.
        for method in methods {
            guard let name = method.root["method"]?.text else { continue }
            for entry in method.root["variants"]?.entries ?? [] {
                names.declare(
                    ResolvedSurfaceGrant.typeName(of: entry.key.value), within: name.value, by: entry.key, isGenerated: true,
                    hiding: ReservedNames.grants, into: &diagnostics)
            }
        }
        names.declareChoices(of: documents, into: &diagnostics)
    }

    /// Declares the enumerations in structs of parameters and settings, which hide other types of the same name there.
    private mutating func declareChoices(of documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        for (type, fields) in Self.structs(of: documents) {
            for field in fields.entries where field.value.fieldType == .choice {
                declare(
                    ResolvedChoice.typeName(of: field.key.value), within: type, by: field.key, isGenerated: true, into: &diagnostics
                )
            }
        }
    }

    /// The structs of parameters and settings, with their fields.
    private static func structs(of documents: LandscapeDocuments) -> [(type: String, fields: DocumentNode)] {
        var structs: [(type: String, fields: DocumentNode)] = []
        if let landscape = documents.landscape {
            if let settings = landscape["settings"], let name = landscape.text("landscape") {
                structs.append((landscape["swift"]?.text("settings") ?? "\(name)Settings", settings))
            }
            for entry in landscape["operations"]?.entries ?? [] {
                guard let parameters = entry.value["parameters"] else { continue }
                let stem = entry.value.text("types") ?? ResolvedOperation.stem(of: entry.key.value)
                structs.append((stem + ResolvedOperation.GeneratedType.parameters.rawValue, parameters))
            }
        }
        for root in documents.methods.map(\.root) {
            guard let name = root.text("method") else { continue }
            for node in [root] + (root["variants"]?.entries.map(\.value) ?? []) {
                guard let parameters = node["parameters"] else { continue }
                structs.append((node["swift"]?.text("parameters") ?? "\(name)Parameters", parameters))
            }
        }
        return structs
    }

    /// Declares the types that are generated for an operation, in addition to its method.
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

    /// Declares the parameter structs of a method. Those of the surface `core` are declared with the other generated types.
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

    /// Declares the error types of a method.
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

    /// - Parameters:
    ///   - outer: The enclosing type; `nil` for a type of the landscape.
    ///   - members: Other members of the enclosing type.
    private mutating func declare(
        _ name: String, within outer: String? = nil, by source: Located<String>, isGenerated: Bool,
        hiding members: Set<String> = [], into diagnostics: inout DiagnosticCollector
    ) {
        let what = isGenerated ? "the generated type '\(name)'" : "'\(name)'"
        let path = outer.map { "\($0).\(name)" } ?? name
        if ReservedNames.types.contains(name) || members.contains(name) {
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
