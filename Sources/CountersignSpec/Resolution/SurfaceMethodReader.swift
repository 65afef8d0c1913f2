/// Reads a method of a landscape with the surface `foundation`: its program, and the options of the code generated for it.
struct SurfaceMethodReader {
    let settings: SettingsScope
    /// The labels of initialisers that take a session.
    let sessionLabels: [String]
    /// The sources of inherited values.
    let provenance: Provenance

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector) -> ResolvedSurfaceMethod? {
        let root = document.root
        checkLabels(of: root["swift"], into: &diagnostics)
        let read = root["variants"] == nil ? single(document, into: &diagnostics) : variants(document, into: &diagnostics)
        guard var method = read else { return nil }
        checkKeys(of: root["swift"], for: method.kind, into: &diagnostics)
        method.mock = ResolvedMock(reading: root["mock"])
        method.labels = root["swift"]?.texts("labels", as: .memberName) ?? []
        method.logsCompletion = root["swift"]?.text("completion") == "logged"
        method.isSecondFactor = root.text("factor") == "second"
        method.imports = root["swift"]?.texts("imports", as: .moduleName) ?? []
        return method
    }

    /// Reports keys that the kind of the method does not have.
    private func checkKeys(
        of surface: DocumentNode?, for kind: ResolvedSurfaceMethod.Kind, into diagnostics: inout DiagnosticCollector
    ) {
        let ofParameters = ["parameters", "labels", "beside-settings", "initialisers", "completion"]
        let (foreign, reason) =
            switch kind {
            case .cookies: (["prompting", "store", "imports"], "there is no 'prompt'")
            case .token: (ofParameters + ["prompting", "store", "imports"], "each variant has its own parameters")
            case .prompted: (ofParameters, "the application sets members of the observer")
            case .application: (["completion", "prompting", "store"], "the application receives the credential")
            }
        let properties = kind == .application ? nil : surface?.entry("properties")
        if let properties {
            diagnostics.report(
                .misplacedKey, "'properties' is only valid for an enrolment, with 'for: [application]'",
                at: properties.keySpan)
        }
        for entry in foreign.compactMap({ surface?.entry($0) }) {
            diagnostics.report(.misplacedKey, "'\(entry.key.value)' has no effect here: \(reason)", at: entry.keySpan)
        }
    }

    // MARK: One way

    private func single(
        _ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedSurfaceMethod? {
        let root = document.root
        let program = ProgramReader.read(document, provenance, into: &diagnostics)
        let prompt = root.prompt
        if root["credential"]?["token"] != nil, let token = root["credential"]?.entry("token") {
            diagnostics.report(.missingKey, "a token needs at least one entry under 'variants'", at: token.keySpan)
            return nil
        }
        if let prompt, root["credential"]?.text("cookies") == "shared" {
            diagnostics.report(
                .misplacedKey,
                "an observer of this surface cannot prompt for a login with the session's cookies; show a page with 'present'",
                at: prompt.keySpan)
            return nil
        }
        if program?.credential.isForApplication == true { return enrolment(program, of: root, into: &diagnostics) }
        if prompt != nil { return program.flatMap { credential($0, of: root, into: &diagnostics) } }
        guard root["credential"]?.text("cookies") == "shared" else {
            // An unfilled field may be one that a `prompt` with a mistake was meant to fill.
            if let entry = root.entry("credential"), program != nil, !diagnostics.hasErrors {
                diagnostics.report(
                    .misplacedKey,
                    "the surface 'foundation' has no observer for this credential, only for 'cookies: shared', 'token: oauth2', and the values of a 'prompt'",
                    at: entry.keySpan)
            }
            return nil
        }
        let fields = parameters(of: root, surface: root["swift"], into: &diagnostics)
        if let program { checkCookies(of: program, at: root["credential"]?.entry("cookies"), into: &diagnostics) }
        guard let program, let fields else { return nil }
        return ResolvedSurfaceMethod(program: program, kind: .cookies, parameters: fields)
    }

    /// Reads an enrolment, whose class provides an identity to the application.
    private func enrolment(
        _ program: ResolvedProgram?, of root: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedSurfaceMethod? {
        let fields = root["credential"]?["fields"]?.entries ?? []
        if fields.count != 1 || fields[0].value.text("type") != ProgramType.identity.rawValue, let entry = root.entry("credential")
        {
            diagnostics.report(
                .wrongType, "a credential for the application must have exactly one field, of type 'identity'", at: entry.keySpan)
        }
        let surface = root["swift"]
        let labels = surface?["labels"]?.items ?? []
        if labels.count > 1 {
            diagnostics.report(
                .notExactlyOne, "the class of an enrolment has only one initialiser, with one label", at: labels[1].span)
        }
        for label in labels {
            guard let name = label.text?.value else { continue }
            if sessionLabels.contains(name) {
                diagnostics.report(.duplicateName, "'\(name)' is the label of the session already", at: label.span)
            } else if ReservedNames.enrolmentMembers.contains(name) {
                diagnostics.report(.reservedName, "the generated class already has a member '\(name)'", at: label.span)
            }
        }
        let properties = properties(surface, of: root, into: &diagnostics)
        let parameters = parameters(of: root, without: properties.map(\.name.value), surface: surface, into: &diagnostics)
        guard let program, let parameters else { return nil }
        var method = ResolvedSurfaceMethod(program: program, kind: .application, parameters: parameters)
        method.properties = properties
        return method
    }

    /// Reads the parameters that are properties of a class: optional texts.
    private func properties(
        _ surface: DocumentNode?, of root: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedField] {
        var known = DiagnosticCollector()
        var names: Set<String> = []
        return (surface?["properties"]?.items ?? []).compactMap { item in
            guard let name = item.text else { return nil }
            guard names.insert(name.value).inserted else {
                diagnostics.report(.duplicateName, "'\(name.value)' is already listed", at: item.span)
                return nil
            }
            guard let entry = root["parameters"]?.entry(name.value) else {
                diagnostics.report(
                    .unknownField, "there is no parameter '\(name.value)'", at: item.span, meaning: name.value,
                    among: (root["parameters"]?.entries ?? []).map(\.key.value))
                return nil
            }
            let field = ParametersReader.read(field: entry, into: &known).resolved
            guard let field, [.string, .secret].contains(field.type), field.isOptional else {
                diagnostics.report(
                    .wrongType, "'\(name.value)' is not an optional 'string' or 'secret', as a property must be", at: item.span,
                    notes: [Diagnostic.Note("declared here", at: entry.key.location)])
                return nil
            }
            if ReservedNames.enrolmentMembers.contains(name.value) {
                diagnostics.report(.reservedName, "the generated class already has a member '\(name.value)'", at: item.span)
            }
            for key in ["from", "configuration"] {
                guard let other = entry.value.entry(key) else { continue }
                diagnostics.report(
                    .misplacedKey, "'\(name.value)' is a property that the application sets; remove '\(key)'", at: other.keySpan)
            }
            return field
        }
    }

    /// Reports a login that leaves no session cookies.
    private func checkCookies(
        of program: ResolvedProgram, at entry: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) {
        let answers = program.acquire.compactMap(\.call).flatMap(\.answers)
        guard let entry, !program.pages.contains(where: { $0.address != nil }),
            !answers.contains(where: { !$0.isRefusal && $0.pattern.setsCookies })
        else { return }
        diagnostics.report(
            .unfilledField,
            "no step under 'acquire' obtains cookies; write a page with 'ends-at', or 'cookies: present' in the answer of a request",
            at: entry.keySpan)
    }

    /// Reads a credential that the application provides. Its observer has members in place of parameters.
    private func credential(
        _ program: ResolvedProgram, of root: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedSurfaceMethod? {
        for entry in root["parameters"]?.entries ?? [] {
            for key in ["from", "configuration", "example"] {
                guard let other = entry.value.entry(key) else { continue }
                diagnostics.report(
                    .misplacedKey,
                    "'\(entry.key.value)' is a member of the observer that the application sets; remove '\(key)'",
                    at: other.keySpan)
            }
        }
        for key in ["invalid-argument", "busy"] {
            guard let entry = root["failures"]?.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' is only valid for methods that have parameters or are started explicitly",
                at: entry.keySpan)
        }
        for field in program.parameters where ![.origins, .boolean].contains(field.type) {
            diagnostics.report(
                .wrongType,
                "an observer of this surface with a 'prompt' can only have members of the types 'origins' and 'boolean'",
                at: field.name.span)
        }
        guard let prompting = prompting(root["swift"]) else {
            if root["swift"]?["prompting"] == nil, let acquire = root.entry("acquire") {
                diagnostics.report(
                    .missingKey, "no type answers the prompts; name it with 'prompting' under 'swift'", at: acquire.keySpan)
            }
            return nil
        }
        return ResolvedSurfaceMethod(program: program, kind: .prompted, prompting: prompting)
    }

    private func prompting(_ surface: DocumentNode?) -> ResolvedSurfaceMethod.Prompting? {
        guard let node = surface?["prompting"], let type = node.text("type", as: .typeName),
            let label = node.text("label", as: .memberName), let source = node.text("source", as: .typeName)
        else { return nil }
        let store = surface?["store"].flatMap { node -> ResolvedSurfaceMethod.Store? in
            guard let type = node.text("type", as: .typeName), let label = node.text("label", as: .memberName) else { return nil }
            return .init(type: type, label: label, summary: node.documentation.summary)
        }
        return .init(
            type: type, label: label, summary: node.documentation.summary, standIn: node.text("default", as: .typeName),
            source: source,
            store: store)
    }

    /// Checks the labels of initialisers that take parameters.
    func checkLabels(of surface: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        var first: [String: SourceLocation] = [:]
        for item in surface?["labels"]?.items ?? [] {
            guard let label = item.text else { continue }
            if ReservedNames.labels.contains(label.value) {
                diagnostics.report(.reservedName, "generated code already has a parameter '\(label.value)'", at: item.span)
            } else if let other = first.updateValue(label.location, forKey: label.value) {
                diagnostics.report(
                    .duplicateName, "there is a label '\(label.value)' already", at: item.span,
                    notes: [Diagnostic.Note("the other one", at: other)])
            }
        }
    }
}

extension DocumentNode {
    /// The first step with a prompt to the application.
    var prompt: Entry? {
        func first(among steps: DocumentNode?) -> Entry? {
            (steps?.items ?? []).lazy.compactMap { $0.entry("prompt") ?? first(among: $0["repeat"]?["steps"]) }.first
        }
        return first(among: self["acquire"])
    }
}
