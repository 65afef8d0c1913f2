import ArgumentParser
import CountersignSpec

/// The output format of diagnostics.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable {
    /// One line for each diagnostic, for build tools. In a terminal, the line of the spec is included.
    case text
    /// One JSON object, even if there is no diagnostic.
    case json

    func render(_ diagnostics: [Diagnostic], of sources: SpecSources) throws -> String {
        switch self {
        case .text:
            guard StandardError.isTerminal else { return DiagnosticRenderer().text(diagnostics) }
            return DiagnosticRenderer(showing: sources, usesColor: StandardError.allowsColor).text(diagnostics)
                + DiagnosticRenderer.pointer(for: diagnostics)
        case .json: return try DiagnosticRenderer.json(diagnostics)
        }
    }
}
