/// Reads a value to capture from a response.
struct ProgramCaptureReader {
    let scope: ProgramScope
    /// The kinds of values with which an item of a list can be compared; `nil` for those of all patterns.
    var kinds: Set<ProgramScope.Kind>?

    /// Returns the type of a captured value; `nil` if it is unknown.
    static func type(of capture: DocumentNode) -> ProgramType? {
        guard let type = capture["type"] else { return .string }
        return .named(type.text?.value, among: [.string, .secret, .url, .duration, .date, .clock, .texts, .json, .xml, .boolean])
    }

    /// Returns the reason why the value may be absent; `nil` if a response without it does not match.
    static func absence(of entry: DocumentNode.Entry) -> Diagnostic.Note? {
        if entry.value.flag("optional") { return Diagnostic.Note("it is optional here", at: entry.key.location) }
        guard type(of: entry.value) == .boolean else { return nil }
        return Diagnostic.Note("it is absent where it is not true", at: entry.key.location)
    }

    /// - Parameters:
    ///   - response: The pattern that captures the value.
    ///   - slot: The slot for the value; `nil` if there is none, which has been reported.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ entry: DocumentNode.Entry, of response: DocumentNode, into slot: Int?, _ diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Capture? {
        let capture = entry.value
        if let parameter = capture.entry("parameter"), response["www-authenticate"] == nil {
            diagnostics.report(
                .misplacedKey,
                "'parameter' requires an authentication scheme; add the scheme as 'www-authenticate' next to 'capture'",
                at: parameter.keySpan)
        }
        if let fallback = capture.entry("default"), capture.flag("optional") {
            diagnostics.report(
                .optionalDefault, "'\(entry.key.value)' is optional and has a default; it can only be one of them",
                at: fallback.keySpan)
        }
        checkBody(of: entry, into: &diagnostics)
        checkStrict(capture, into: &diagnostics)
        let kind = kind(of: entry, into: &diagnostics)
        let fallback = fallback(of: capture, into: &diagnostics)
        let items = items(of: capture, into: &diagnostics)
        guard let source = source(of: capture, into: &diagnostics), let kind, let slot, let items,
            fallback != nil || capture["default"] == nil
        else {
            return nil
        }
        return ResolvedProgram.Capture(
            slot: slot, source: source, items: items, kind: kind, fallback: fallback,
            isOptional: kind != .truth && Self.absence(of: entry) != nil)
    }

    /// Reports `strict` for a capture that is not a JSON Boolean.
    private func checkStrict(_ capture: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard let strict = capture.entry("strict"), let type = Self.type(of: capture) else { return }
        if type != .boolean || capture["json"] == nil {
            diagnostics.report(
                .misplacedKey, "'strict' is only valid for captures of type 'boolean' with 'json'", at: strict.keySpan)
        } else if let wanted = capture.entry("is"), capture.flag("strict") {
            diagnostics.report(
                .notExactlyOne, "'strict' cannot be combined with 'is'; remove one of them", at: wanted.keySpan,
                notes: [Diagnostic.Note("the other one", at: strict.key.location)])
        }
    }

    private func source(of capture: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Capture.Source? {
        if let header = capture.text("header", as: .token) { return .header(header.value) }
        if let parameter = capture.text("parameter", as: .token) { return .parameter(parameter.value) }
        if let cookie = capture.text("cookie", as: .token) { return .cookie(cookie.value) }
        if let path = capture.text("xml", as: .elementPath) { return .xml(path.value) }
        if capture["body"] != nil { return .body }
        if let query = capture.text("query", as: .configurationKey) { return .query(query.value) }
        if let input = capture["input"] {
            let reader = ProgramTemplateReader(
                scope: scope, kinds: scope.kindsInPatterns, refusal: "no input can be found then; give the parameter a default")
            let name = reader.read(input, into: &diagnostics)
            name?.checkText(isHidden: false, into: &diagnostics)
            return name.map { .input($0.resolved) }
        }
        let pointers = capture.capturedPointers
        return pointers.isEmpty ? nil : .json(pointers.map(\.value))
    }

    /// Reads the conditions on the item of a list that has the value.
    ///
    /// - Returns: `nil` if one of the conditions is wrong.
    private func items(of capture: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Condition]? {
        guard let entry = capture.entry("where") else { return [] }
        let pointers = capture.capturedPointers
        if let pointer = pointers.first(where: { !ValuePath($0.value).hasItem }) {
            diagnostics.report(
                .misplacedKey,
                "'where' chooses an item of a list, but '\(pointer.value)' names no list; write '*' for the item, such as '/items/*/id'",
                at: entry.keySpan)
            return nil
        }
        var areOfItem = true
        for condition in entry.value.entries where TextForm.pointer.accepts(condition.key.value) {
            let path = ValuePath(condition.key.value)
            guard let pointer = pointers.first(where: { ValuePath($0.value).commonItem(with: path) == nil }) else { continue }
            areOfItem = false
            let item = ValuePath(pointer.value).firstItem ?? ""
            diagnostics.report(
                .invalidValue,
                "'\(condition.key.value)' is not in the item that has '\(pointer.value)'; begin it with '\(item)'",
                at: condition.keySpan)
        }
        let conditions = ProgramPatternReader(scope: scope, comparingWith: kinds).itemConditions(entry.value, into: &diagnostics)
        return areOfItem ? conditions : nil
    }

    private func kind(
        of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Capture.Kind? {
        let type = Self.type(of: entry.value)
        if let encoding = entry.value.entry("encoding"), type != nil, type != .string, type != .secret {
            diagnostics.report(.misplacedKey, "'encoding' is only valid for captures of texts", at: encoding.keySpan)
        }
        if let wanted = entry.value.entry("is"), type != nil, type != .boolean {
            diagnostics.report(.misplacedKey, "'is' is only valid for captures of type 'boolean'", at: wanted.keySpan)
        }
        if let unit = entry.value.entry("unit"), type != nil, type != .duration {
            diagnostics.report(.misplacedKey, "'unit' is only valid for captures of type 'duration'", at: unit.keySpan)
        }
        let within = entry.value.entry("within")
        if let within, type != .url, type != nil, entry.value["type"] != nil {
            diagnostics.report(.misplacedKey, "'within' is only valid for captures of type 'url'", at: within.keySpan)
        }
        switch type {
        case .url:
            guard let within else {
                diagnostics.report(
                    .missingKey,
                    "a server could name any URL here; list the allowed origins under 'within', such as [\"{request.url.origin}\"]",
                    at: entry.keySpan)
                return nil
            }
            let isLenient = entry.value["elsewhere"] != nil
            if isLenient, let elsewhere = entry.value.entry("elsewhere"), !entry.value.flag("optional") {
                diagnostics.report(
                    .misplacedKey, "'elsewhere' is only valid for optional captures; write 'optional: true'",
                    at: elsewhere.keySpan)
            }
            return places(within.value, into: &diagnostics).map { .url(within: $0, isLenient: isLenient) }
        case .duration: return .duration(unit: Self.unit(of: entry.value))
        // A result of an operation is a point in time, not the time that remains.
        case .date: return scope.isOperation ? .moment : .date
        case .clock: return .clock
        case .texts: return .texts
        case .json: return .json
        case .xml: return .element
        case .boolean: return entry.value.flag("strict") ? .truth : .flag(is: entry.value.text("is") ?? "true")
        case nil: return nil
        default: return entry.value["encoding"] == nil ? .text : .decoded
        }
    }

    /// Reports types and defaults that do not fit the source, for example because a whole body has line breaks and any length.
    private func checkBody(of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        let type = Self.type(of: entry.value)
        let place = entry.value["type"]?.span ?? entry.keySpan
        if entry.value["body"] != nil, let type, ![.texts, .json].contains(type) {
            diagnostics.report(
                .wrongType, "a whole body is 'texts' or 'json', not '\(type.rawValue)'; write 'type: texts'", at: place,
                suggestion: entry.value["type"].map { _ in ProgramType.texts.rawValue })
        }
        if type == .json, entry.value["body"] == nil {
            diagnostics.report(.wrongType, "the type 'json' requires a whole body; add 'body: whole'", at: place)
        }
        if type == .xml {
            if capturePath(of: entry).map({ $0.contains("@") }) ?? true {
                diagnostics.report(
                    .wrongType, "the type 'xml' requires an element; write its path with 'xml', such as '/Envelope/Body/Response'",
                    at: place)
            }
            if let fallback = entry.value.entry("default") {
                diagnostics.report(.misplacedKey, "an element has no default; write 'optional: true'", at: fallback.keySpan)
            }
        }
        if type == .boolean, let needless = entry.value.entry("optional") ?? entry.value.entry("default") {
            diagnostics.report(
                .misplacedKey, "an absent boolean is false; remove '\(needless.key.value)'", at: needless.keySpan)
        }
        if type == .texts || type == .json, let fallback = entry.value.entry("default") {
            diagnostics.report(
                .misplacedKey, "a list has no default; write 'optional: true'", at: fallback.keySpan)
        }
    }

    /// Returns the path of a capture in an XML body; `nil` if it has another source.
    private func capturePath(of entry: DocumentNode.Entry) -> String? { entry.value.text("xml", as: .elementPath)?.value }

    /// - Returns: `nil` if one of the places is wrong, or there is none.
    private func places(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Capture.Place]? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInPatterns.union([.request]))
        let places = node.items.compactMap { item -> ResolvedProgram.Capture.Place? in
            guard let template = reader.read(item, into: &diagnostics) else { return nil }
            switch template.loneReference?.piece {
            case .requestOrigin: return .response
            case .slot(let slot) where template.loneReference?.value?.namesOrigins == true: return .slot(slot)
            default:
                diagnostics.report(
                    .wrongType,
                    "each item of 'within' must be '{request.url.origin}' or a whole reference to a parameter of type 'origins' or 'url', such as \"{servers}\"",
                    at: template.loneReference?.span ?? item.span)
                return nil
            }
        }
        return places.isEmpty || places.count < node.items.count ? nil : places
    }

    /// Returns the unit in which a server states a duration, in milliseconds.
    private static func unit(of capture: DocumentNode) -> Int { capture.text("unit")?.unitInMilliseconds ?? 1000 }

    /// Returns the default value in the form in which a server would write it.
    private func fallback(of capture: DocumentNode, into diagnostics: inout DiagnosticCollector) -> String? {
        guard let node = capture["default"], let text = node.text?.value else { return nil }
        switch Self.type(of: capture) {
        case .date, .clock:
            diagnostics.report(
                .misplacedKey,
                Self.type(of: capture) == .clock
                    ? "a server's time has no default; write 'optional: true'"
                    : "a point in time has no default; write 'optional: true', and the credential is valid until a server rejects it",
                at: capture.entry("default")?.keySpan ?? node.span)
        case .url: URLText.checkLogin(text, at: node.span, into: &diagnostics)
        case .duration:
            guard TextForm.duration.accepts(text), let number = text.duration(in: Self.unit(of: capture)) else {
                diagnostics.report(
                    .invalidValue, "'\(text.firstLine)' is not \(TextForm.duration.expectation)", at: node.span)
                return nil
            }
            return number
        default:
            if text.unicodeScalars.contains(where: { $0.isControl || $0 == "\t" }) {
                diagnostics.report(.invalidValue, "this text cannot have line breaks, tabs or control characters", at: node.span)
            }
        }
        return text
    }
}

extension DocumentNode {
    /// The JSON pointers of a capture, as far as they can be read.
    var capturedPointers: [Located<String>] {
        guard let json = self["json"] else { return [] }
        return json.text == nil ? texts("json", as: .pointer) : [text("json", as: .pointer)].compactMap(\.self)
    }
}

extension ProgramScope.Value {
    /// Whether the value is a URL or a list of origins.
    var namesOrigins: Bool { type == .origins || type == .url }
}
