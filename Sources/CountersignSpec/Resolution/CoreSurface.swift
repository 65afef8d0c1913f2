/// The rule that landscapes with the surface `core` have no keys for which only the surface `foundation` generates code.
enum CoreSurface {
    static func check(_ root: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        var entries = ["variants", "client", "factor", "mock", "swift"].compactMap { root.entry($0) }
        entries += (root["parameters"]?.entries ?? []).flatMap { field in
            ["from", "configuration"].compactMap { field.value.entry($0) }
        }
        for field in root["parameters"]?.entries ?? [] where field.value.fieldType == .requestHandler {
            diagnostics.report(
                .misplacedKey,
                "'\(field.key.value)' is a function, which requires 'surface: foundation' under 'swift' of the landscape",
                at: field.value["type"]?.span ?? field.keySpan)
        }
        if let token = root["credential"]?.entry("token") { entries.append(token) }
        if let cookies = root["credential"]?.entry("cookies"), cookies.value.text?.value == "shared" { entries.append(cookies) }
        for entry in entries {
            let remedy = entry.key.value == "variants" ? "; otherwise write a method for each way, or steps with 'when'" : ""
            diagnostics.report(
                .misplacedKey, "'\(entry.key.value)' requires 'surface: foundation' under 'swift' of the landscape\(remedy)",
                at: entry.keySpan)
        }
        for item in root["credential"]?["for"]?.items ?? [] {
            guard let word = item.text?.value, [ProgramCredentialReader.steps, ProgramCredentialReader.application].contains(word)
            else { continue }
            diagnostics.report(
                .misplacedKey, "'\(word)' requires 'surface: foundation' under 'swift' of the landscape; name the servers",
                at: item.span
            )
        }
    }

    /// Reports such keys in the landscape's own file.
    static func check(landscape root: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        for entry in ["settings", "server"].compactMap({ root.entry($0) }) {
            diagnostics.report(
                .misplacedKey, "'\(entry.key.value)' requires 'surface: foundation' under 'swift' of the landscape",
                at: entry.keySpan)
        }
    }
}
