/// No two types of the generated module, and not the module itself, share a name.
struct TypeNames {
    /// What is generated for each method, by the end of its name.
    static let generatedSuffixes = ["Observer", "Authenticator", "Authentication", "Method"]

    /// What is generated for each method of version 2.
    static let programSuffixes = ["Parameters", "Prompting", "Prompter", "Observer"]

    /// What is generated for each landscape of version 2.
    static let landscapeSuffix = "Landscape"

    /// What is generated for each discovery beside its class.
    static let flowSuffix = "Flow"

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
                if documents.version == .two {
                    names.declare(name.value + landscapeSuffix, by: name, isGenerated: true, into: &diagnostics)
                }
            }
            for entry in landscape["names"]?.entries ?? [] {
                guard let name = entry.value.text else { continue }
                // Two keys can name one type; what must not be is another declaration of it.
                names.declarations[name.value] = Declaration(name: name.value, source: name, isGenerated: false)
            }
            names.declareKeys(of: landscape["settings"], into: &diagnostics)
            for entry in landscape["operations"]?.entries ?? [] {
                let type = ResolvedOperation.versionType(of: entry.key.value)
                names.declare(type, by: entry.key, isGenerated: true, into: &diagnostics)
            }
        }
        var methods: Set<String> = []
        for method in documents.methods + documents.programs {
            // A second method of one name has its own message.
            if let name = method.root["method"]?.text, methods.insert(name.value).inserted {
                for suffix in documents.version == .one ? generatedSuffixes : programSuffixes {
                    names.declare(name.value + suffix, by: name, isGenerated: true, into: &diagnostics)
                }
            }
        }
        for discovery in documents.discoveries {
            guard let name = discovery.root["discovery"]?.text else { continue }
            names.declare(name.value, by: name, isGenerated: false, into: &diagnostics)
            names.declare(name.value + flowSuffix, by: name, isGenerated: true, into: &diagnostics)
        }
        for method in documents.methods + documents.discoveries {
            names.declareKeys(of: method.root["parameters"], into: &diagnostics)
            names.declareKeys(of: method.root["errors"], into: &diagnostics)
        }
        // In the end, since a grant's type hides all others in what is generated for it.
        for method in documents.methods {
            guard let name = method.root["method"]?.text else { continue }
            for entry in method.root["grants"]?.entries ?? [] {
                names.declare(
                    ResolvedGrant.typeName(of: entry.key.value), within: name.value, by: entry.key, isGenerated: true,
                    into: &diagnostics)
            }
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
