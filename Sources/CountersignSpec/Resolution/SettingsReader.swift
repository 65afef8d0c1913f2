/// The settings to which a landscape's methods can refer.
enum SettingsScope: Sendable {
    /// The landscape declares none.
    case none
    /// The landscape's settings; `nil` if they cannot be read.
    case fields(FieldScope?)
}

/// Reads a landscape's settings.
struct SettingsReader {
    /// The settings as far as they could be read.
    struct Reading: Sendable {
        var parameters: ResolvedParameters?
        var scope: SettingsScope
        var serverField: String?
    }

    static func read(_ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) -> Reading {
        guard let root = documents.landscape, let entry = root.entry("settings") else {
            return Reading(scope: documents.isWhole ? .none : .fields(nil))
        }
        let settings = entry.value
        let fields = settings.entries.map { ParametersReader.read(field: $0, into: &diagnostics) }
        let scope = FieldScope(fields: fields.map(\.field))
        if let server = root["server"] {
            check(server, in: scope, into: &diagnostics)
        } else {
            diagnostics.report(
                .missingKey, "settings need a server; write the name of a setting of type 'url' under 'server'", at: entry.keySpan)
        }
        let server = root["server"]?.text?.value
        let resolved = fields.compactMap(\.resolved)
        for field in resolved where field.name.value != server {
            field.checkExample("a setting that is required", into: &diagnostics)
        }
        let landscape = root.text("landscape", as: .typeName)
        let name =
            root["swift"]?.text("settings", as: .typeName)
            ?? landscape.map { Located("\($0.value)Settings", at: entry.key.location) }
        guard let name, let landscape, resolved.count == fields.count else {
            return Reading(scope: .fields(scope), serverField: server)
        }
        let parameters = ResolvedParameters(
            name: name, documentation: Documentation(summary: "What all methods of \(landscape.value) share."), fields: resolved,
            fromSettings: nil, configuration: settings.configuration)
        return Reading(parameters: parameters, scope: .fields(scope), serverField: server)
    }

    private static func check(_ server: DocumentNode, in scope: FieldScope, into diagnostics: inout DiagnosticCollector) {
        guard let name = server.text?.value else { return }
        guard let field = scope[name] else {
            diagnostics.report(
                .unknownField, "the settings have no field '\(name)'", at: server.span,
                meaning: name, among: scope.names)
            return
        }
        guard let type = field.type else { return }
        let declaration = [Diagnostic.Note("declared here", at: field.name.location)]
        if type != .url {
            diagnostics.report(
                .wrongType, "the server is a field of type 'url'; '\(name)' is a '\(type.rawValue)'", at: server.span,
                notes: declaration)
        }
        if field.isOptional {
            diagnostics.report(
                .optionalReference, "'\(name)' is optional, but a landscape needs a server", at: server.span,
                notes: declaration)
        }
    }
}

extension ResolvedField {
    /// Reports a field that the mock landscape could not fill.
    func checkExample(_ what: String, into diagnostics: inout DiagnosticCollector) {
        guard !isOptional, defaultText == nil, example == nil else { return }
        diagnostics.report(
            .missingExample, "\(what) needs an 'example' for the mock landscape; '\(name.value)' has none",
            at: name.span)
    }
}

extension DocumentNode {
    /// The keys in configuration files, by field, for fields that specify some.
    var configuration: [(field: Located<String>, keys: [String])] {
        entries.compactMap { entry in
            guard entry.value["configuration"] != nil else { return nil }
            return (entry.key, entry.value.texts("configuration", as: .configurationKey).map(\.value))
        }
    }
}
