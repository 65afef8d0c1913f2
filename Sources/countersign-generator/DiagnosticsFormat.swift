import ArgumentParser
import CountersignSpec

/// How mistakes are written.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable {
    /// One line each, for build tools; at a terminal with the line of the spec.
    case text
    /// One object, also when there is no mistake.
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
