import CountersignSpec

// The rules for stored credentials. A stored credential is found by the method's name, the parameters that identify it, the
// values of `per` and the protection space; its fields are found by their names; and it is used only if requests carry it in the
// same header fields as before (`ManagedCredential.restored`).

enum StoreRules {
    /// Returns the effect of a difference after which stored credentials are not found or not used.
    static func lost(in difference: SpecDifference, _ reason: String) -> [SpecImpact] {
        guard let old = difference.documents.old, let new = difference.documents.new, isStored(old), isStored(new) else {
            return []
        }
        return [.breaking(.store, "users sign in once more: \(reason)")]
    }

    /// Whether the credentials of a method are in a store: obtained by steps, attached to requests, and not the session's cookies.
    private static func isStored(_ method: DocumentNode) -> Bool {
        guard method["acquire"] != nil || method["variants"] != nil else { return false }
        let destinations = method["credential"]?["for"]?.items.compactMap { $0.text?.value } ?? []
        guard method["credential"]?["space"]?.text?.value != "request" else { return false }
        return method["credential"]?["cookies"]?.text?.value != "shared" && destinations != ["application"]
    }

    static func parameter(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        let reason = "credentials are stored under the parameters that identify them"
        guard path.count == 1 || path.isEmpty else {
            let key = path.dropFirst().first?.text
            if key == "identifies" {
                // Without the key it is `true`.
                return difference.old?.text?.value == "false" || difference.new?.text?.value == "false"
                    ? lost(in: difference, reason) : []
            }
            guard [difference.parents.old, difference.parents.new].contains(where: { $0.map(identifies) ?? false }) else {
                return []
            }
            let types = [difference.old, difference.new].map { $0?.text?.value }
            if key == "type", types.contains("secret") { return lost(in: difference, reason) }
            // A value that every application had to give stays the same.
            let old = difference.parents.old
            let wasGiven =
                key == "default" && difference.kind == .added && old?["optional"]?.text?.value != "true" && old?["from"] == nil
            return (key == "default" || key == "from") && !wasGiven ? lost(in: difference, reason) : []
        }
        if difference.kind == .moved {
            let names = [difference.old, difference.new].map { parameters in
                (parameters?.entries ?? []).filter { identifies($0.value) }.map(\.key.value)
            }
            let common = Set(names[0]).intersection(names[1])
            let isSameOrder = names[0].filter(common.contains) == names[1].filter(common.contains)
            return isSameOrder ? [] : lost(in: difference, reason + ", in their order")
        }
        let changed = [difference.old, difference.new].compactMap(\.self)
        let values = path.isEmpty ? changed.flatMap { $0.entries.map(\.value) } : changed
        // A new parameter without a value is not part of the name.
        let named = values.filter { value in
            let isAbsent = difference.kind == .added && value["optional"] != nil && value["from"] == nil
            return identifies(value) && !isAbsent
        }
        return named.isEmpty ? [] : lost(in: difference, reason)
    }

    /// Whether a parameter identifies stored credentials.
    private static func identifies(_ parameter: DocumentNode) -> Bool {
        parameter["type"]?.text?.value != "secret" && parameter["identifies"]?.text?.value != "false"
    }

    static func credential(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        switch path.first?.text {
        case "per": return lost(in: difference, "credentials are stored under these values")
        case "space": return lost(in: difference, "credentials are stored by protection space")
        case "token": return lost(in: difference, "a token is stored in another form")
        case "cookies": return difference.new == nil ? [] : lost(in: difference, "stored credentials have no cookies")
        case "fields": return field(difference, at: path.dropFirst())
        default: return []
        }
    }

    private static func field(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        if path.count == 1, difference.kind == .added, let name = path.first?.text {
            guard isAttached(name, by: difference.documents.new) else { return [] }
            return lost(in: difference, "stored credentials have no '\(name)'")
        }
        guard path.last?.isKey("type") == true else { return [] }
        let types = [difference.old, difference.new].map { $0?.text?.value ?? "" }
        // Texts have one stored form. A duration and a date are stored as the time of the expiry.
        let texts: Set = ["string", "secret", "url"]
        if types.allSatisfy(texts.contains) { return [.compatible(.store)] }
        return lost(in: difference, "the value has another stored form")
    }

    /// Whether requests carry a field of the credential.
    private static func isAttached(_ field: String, by method: DocumentNode?) -> Bool {
        guard let attach = method?["attach"] else { return false }
        let text = FlowText.canonical(attach, as: nil)
        return ["}", "?", "."].contains { text.contains("{credential.\(field)\($0)") }
    }

    /// The keys of `attach` with places in requests, and the words for them.
    private static let places = ["query": "query parameters", "json": "members of the body", "form": "members of the body"]

    /// A header field, query parameter or member of the body by which requests carry the credential.
    static func attachment(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        let steps = Array(path)
        let isItem = steps.count <= 1 && (difference.kind == .added || difference.kind == .removed)
        let words: String?
        if isItem {
            let item = difference.new ?? difference.old
            words = item?["headers"] == nil ? places.first { item?[$0.key] != nil }?.value : nil
        } else {
            words = steps.dropFirst().first.flatMap { places[$0.text] }
        }
        let isPlace =
            (2...3).contains(steps.count) && (words != nil || steps[1].isKey("headers"))
            && (difference.kind == .added || difference.kind == .removed || steps.count == 3 && difference.kind != .changed)
        guard isItem || isPlace else { return [] }
        return lost(in: difference, "stored credentials are for other \(words ?? "header fields")")
    }
}
