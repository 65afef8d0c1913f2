/// The rule that each method of a landscape has its own name.
enum MethodNames {
    static func check(_ methods: [LandscapeDocuments.Method], into diagnostics: inout DiagnosticCollector) {
        var names: [String: SourceLocation] = [:]
        for name in methods.compactMap({ $0.root["method"]?.text }) {
            if let first = names[name.value] {
                diagnostics.report(
                    .duplicateMethod, "there is a method '\(name.value)' already", at: name.span,
                    notes: [Diagnostic.Note("the other one", at: first)])
            } else {
                names[name.value] = name.location
            }
        }
    }
}
