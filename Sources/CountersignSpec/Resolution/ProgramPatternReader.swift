/// Reads the pattern of a response: a challenge, or the answer to a request that the method itself sends.
struct ProgramPatternReader {
    let scope: ProgramScope
    /// The kinds of values with which a response can be compared.
    private let kinds: Set<ProgramScope.Kind>

    /// - Parameter kinds: The kinds of values with which a response can be compared; `nil` for those of all patterns.
    init(scope: ProgramScope, comparingWith kinds: Set<ProgramScope.Kind>? = nil) {
        self.scope = scope
        self.kinds = kinds ?? scope.kindsInPatterns
    }

    /// The part of a response that a condition is about.
    private enum Kind: String {
        case header = "header field"
        case parameter, value, cookie
        case item = "value of the query"
        case element = "element"

        var form: TextForm {
            switch self {
            case .value: .pointer
            case .item: .configurationKey
            case .element: .elementPath
            case .header: .fieldName
            case .parameter, .cookie: .token
            }
        }
        var hasCase: Bool { self != .header && self != .parameter }
    }

    /// - Parameters:
    ///   - name: The name of the pattern; `nil` if it could not be read.
    ///   - captures: The captures of the pattern; `nil` if they could not be read.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode, named name: Located<String>?, capturing captures: [ResolvedProgram.Capture]?,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Challenge? {
        let headers = conditions(node["headers"], of: .header, into: &diagnostics)
        let offers = ResolvedProgram.Scheme.Field.allCases.filter { node[$0.rawValue] != nil }
        let schemes = offers.compactMap { field in node[field.rawValue].flatMap { scheme($0, in: field, into: &diagnostics) } }
        let statuses = node.statuses(into: &diagnostics)
        let text = node["text"].flatMap { match($0, into: &diagnostics) }
        let json = conditions(node["json"], of: .value, into: &diagnostics)
        let xml = conditions(node["xml"], of: .element, into: &diagnostics)
        let cookies = node["cookies"].map { $0.text == nil ? conditions($0, of: .cookie, into: &diagnostics) : [] }
        let query = conditions(node["query"], of: .item, into: &diagnostics)
        checkAbsence(in: node, into: &diagnostics)
        checkItems(in: node, into: &diagnostics)
        guard let name, let headers, let captures, let json, let xml, let query, schemes.count == offers.count,
            text != nil || node["text"] == nil
        else { return nil }
        if case .some(.none) = cookies { return nil }
        return ResolvedProgram.Challenge(
            name: name, statuses: statuses, headers: headers, schemes: schemes, text: text, json: json, xml: xml,
            cookies: cookies ?? nil,
            query: query, captures: captures)
    }

    /// Reads the conditions on the item of a list that has a captured value.
    ///
    /// - Returns: `nil` if one of the conditions is wrong.
    func itemConditions(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Condition]? { conditions(node, of: .value, into: &diagnostics) }

    private func scheme(
        _ node: DocumentNode, in field: ResolvedProgram.Scheme.Field, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Scheme? {
        if let name = node.text {
            return TextForm.token.accepts(name.value) ? ResolvedProgram.Scheme(field: field, name: name.value, parameters: []) : nil
        }
        let parameters = conditions(node["parameters"], of: .parameter, into: &diagnostics)
        guard let name = node.text("scheme", as: .token), let parameters else { return nil }
        return ResolvedProgram.Scheme(field: field, name: name.value, parameters: parameters)
    }

    /// - Returns: `nil` if one of the conditions is wrong.
    private func conditions(
        _ node: DocumentNode?, of kind: Kind, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Condition]? {
        let entries = node?.entries ?? []
        var names = UniqueNames()
        let conditions = entries.compactMap { entry -> ResolvedProgram.Condition? in
            if !kind.hasCase {
                names.check(
                    entry, "the \(kind.rawValue) '\(entry.key.value)' is already listed; names are case-insensitive",
                    into: &diagnostics)
            }
            let match = match(entry.value, into: &diagnostics)
            guard kind.form.accepts(entry.key.value), let match else { return nil }
            guard kind == .header else { return ResolvedProgram.Condition(name: entry.key.value, match: match) }
            return fieldName(entry, into: &diagnostics).map { ResolvedProgram.Condition(name: $0, match: match) }
        }
        return conditions.count == entries.count ? conditions : nil
    }

    /// Reports schemes and captures that need a part of the response that must be absent.
    private func checkAbsence(in node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        let offers = ResolvedProgram.Scheme.Field.allCases.map(\.rawValue)
        for entry in node["headers"]?.entries ?? [] where entry.value.mustBeAbsent {
            guard let field = offers.first(where: { $0 == entry.key.value.lowercased() }), let scheme = node.entry(field) else {
                continue
            }
            diagnostics.report(
                .notExactlyOne, "this field offers no scheme if it must be absent; remove it here or under 'headers'",
                at: scheme.keySpan, notes: [Diagnostic.Note("absent here", at: entry.key.location)])
        }
        // With two schemes, a captured parameter can be that of the other one.
        let offered = offers.filter { node[$0] != nil }
        // The conditions by the key with which a capture names the same part.
        let conditions =
            [("header", "headers"), ("json", "json"), ("xml", "xml"), ("cookie", "cookies"), ("query", "query")].map {
                (source: $0, entries: node[$1]?.entries ?? [])
            } + (offered.count == 1 ? offered : []).map { (source: "parameter", entries: node[$0]?["parameters"]?.entries ?? []) }
        for (source, entries) in conditions {
            let isPath = source == "json" || source == "xml"
            for entry in entries where entry.value.mustBeAbsent {
                for capture in node["capture"]?.entries ?? [] {
                    let place = capture.value[source]
                    let names = (place?.text.map { [$0] } ?? place?.items.compactMap(\.text) ?? []).map(\.value)
                    let areAbsent = names.allSatisfy { name in
                        if isPath { return ValuePath(entry.key.value).contains(ValuePath(name)) }
                        let hasCase = source == "cookie" || source == "query"
                        return hasCase ? name == entry.key.value : name.lowercased() == entry.key.value.lowercased()
                    }
                    guard !names.isEmpty, areAbsent else { continue }
                    diagnostics.report(
                        .notExactlyOne,
                        "'\(capture.key.value)' is the value of a part that must be absent; remove the capture or the condition",
                        at: capture.keySpan, notes: [Diagnostic.Note("absent here", at: entry.key.location)])
                }
            }
        }
    }

    /// Reports captures from a list with a condition on its items: another item than that with the value can meet it.
    private func checkItems(in node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        // No item has a value that must be absent.
        let conditions = (node["json"]?.entries ?? []).filter { !$0.value.mustBeAbsent }
        for capture in node["capture"]?.entries ?? [] where capture.value["where"] == nil {
            let pointers = capture.value.capturedPointers.map(\.value)
            let isFlag = ProgramCaptureReader.type(of: capture.value) == .boolean
            guard
                let condition = conditions.first(where: { condition in
                    // The captured value itself can be present, and a list can have an item that is compared here and another.
                    let isSame = pointers.contains(condition.key.value) && (isFlag || condition.value.text?.value == "present")
                    let path = ValuePath(condition.key.value)
                    return !isSame && pointers.contains { ValuePath($0).commonItem(with: path) != nil }
                })
            else { continue }
            diagnostics.report(
                .undecidedItem,
                "'\(capture.key.value)' is of the first item that has a value, not of the one that meets the condition "
                    + "on '\(condition.key.value)'; write the condition under 'where' of the capture",
                at: capture.keySpan, notes: [Diagnostic.Note("the condition", at: condition.key.location)])
        }
    }

    /// Reads the name of a header field, or the reference to a parameter with the name.
    private func fieldName(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInPatterns, refusal: "a header field needs a name; give the parameter a default")
        guard let template = reader.read(entry.keyNode, into: &diagnostics) else { return nil }
        guard template.isLiteral || template.loneReference?.value?.type == .header else {
            diagnostics.report(
                .wrongType, "the name of a header field must be a token, or a whole reference to a parameter of type 'header'",
                at: template.pieces.first { $0.value != nil }?.span ?? entry.keySpan)
            return nil
        }
        return template.resolved
    }

    private func match(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Condition.Match? {
        if let text = node.text {
            if text.value == "present" { return .present }
            return node.mustBeAbsent ? .absent : template(node, into: &diagnostics).map { .equals($0) }
        }
        if let text = node["equals"] { return template(text, into: &diagnostics).map { .equals($0) } }
        if let prefix = node["prefix"] { return template(prefix, into: &diagnostics).map { .prefix($0) } }
        if let word = node["any-case"] { return template(word, into: &diagnostics).map { .anyCase($0) } }
        return node["contains"].flatMap { template($0, into: &diagnostics) }.map { .contains($0) }
    }

    /// Reads a text with which a value is compared.
    private func template(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: kinds,
            refusal: "nothing can be compared with it then; give the parameter a default")
        let template = reader.read(node, into: &diagnostics)
        template?.checkText(isHidden: false, into: &diagnostics)
        return template?.resolved
    }
}

extension DocumentNode {
    /// Whether this condition of a pattern requires that there is no value.
    var mustBeAbsent: Bool { text?.value == "absent" }
}

/// A JSON Pointer, or the path of a part of XML.
struct ValuePath {
    private let steps: [Substring]

    init(_ path: String) { steps = Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()) }

    /// Whether the path leads through an item of a list, written `*`.
    var hasItem: Bool { steps.contains("*") }

    /// The path of the first item of a list, written `*`; `nil` if there is none.
    var firstItem: String? { steps.firstIndex(of: "*").map { "/" + steps[...$0].joined(separator: "/") } }

    /// Returns the path of the innermost item of a list, written `*`, through which another path leads, too; `nil` if there is none.
    func commonItem(with other: ValuePath) -> String? {
        var common: [Substring] = []
        for (step, other) in zip(steps, other.steps) {
            guard step == other else { break }
            common.append(step)
        }
        return common.lastIndex(of: "*").map { "/" + common[...$0].joined(separator: "/") }
    }

    /// Whether a value at another path is at this one or within it. In this path, `*` is any item of a list.
    func contains(_ other: ValuePath) -> Bool {
        steps.count <= other.steps.count
            && zip(steps, other.steps).allSatisfy { step, other in step == other || step == "*" && Int(other) != nil }
    }
}

/// Checks that names are unique, ignoring case.
struct UniqueNames {
    private let ignoresCase: Bool
    private var places: [String: SourceLocation] = [:]

    /// - Parameter ignoresCase: Whether names that differ only in case are equal, like those of header fields.
    init(ignoringCase ignoresCase: Bool = true) { self.ignoresCase = ignoresCase }

    /// Reports a key with a name that has occurred before.
    mutating func check(_ entry: DocumentNode.Entry, _ message: String, into diagnostics: inout DiagnosticCollector) {
        let name = ignoresCase ? entry.key.value.lowercased() : entry.key.value
        guard let first = places.updateValue(entry.key.location, forKey: name) else { return }
        diagnostics.report(
            .duplicateName, message, at: entry.keySpan, notes: [Diagnostic.Note("the other one", at: first)])
    }
}
