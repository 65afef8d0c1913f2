/// Checks what a method says of the Swift that is generated for it.
enum SurfaceReader {
    static func check(
        _ root: DocumentNode, hasGrants: Bool, isOfApplication: Bool, into diagnostics: inout DiagnosticCollector
    ) {
        if isOfApplication {
            for key in ["labels", "completion", "factor"] {
                guard let entry = root.entry(key) else { continue }
                diagnostics.report(
                    .misplacedKey, "'\(key)' belongs to a method with a flow; this one's credential is given by the application",
                    at: entry.keySpan)
            }
        }
        if hasGrants {
            for key in ["labels", "completion"] {
                guard let entry = root.entry(key) else { continue }
                diagnostics.report(
                    .misplacedKey,
                    key == "labels"
                        ? "the labels of a method with grants stand with each of its 'grants'"
                        : "'\(key)' belongs to a method without grants", at: entry.keySpan)
            }
        }
        checkLabels(root, into: &diagnostics)
    }

    /// Checks the labels of initialisers that take parameters.
    static func checkLabels(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        var first: [String: SourceLocation] = [:]
        for item in node?["labels"]?.items ?? [] {
            guard let label = item.text else { continue }
            if ReservedNames.labels.contains(label.value) {
                diagnostics.report(.reservedName, "generated code has another parameter '\(label.value)'", at: item.span)
            } else if let other = first.updateValue(label.location, forKey: label.value) {
                diagnostics.report(
                    .duplicateName, "there is a label '\(label.value)' already", at: item.span,
                    notes: [Diagnostic.Note("the other one", at: other)])
            }
        }
    }
}
