package import CountersignGenerator
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// Parses generated files with swift-syntax and returns all syntax errors.
///
/// Tests check the generator's output with it. The build plugin's tool and the command do not use it, because compiling
/// swift-syntax would cost their users a minute. There the compiler checks the output.
package func prove(_ files: [GeneratedFile]) -> [ProofFailure] {
    files.flatMap(failures)
}

private func failures(in file: GeneratedFile) -> [ProofFailure] {
    let tree = Parser.parse(source: file.text)
    guard tree.hasError || tree.hasWarning else { return [] }
    let converter = SourceLocationConverter(fileName: file.name, tree: tree)
    let lines = converter.sourceLines
    let found = ParseDiagnosticsGenerator.diagnostics(for: tree).map { diagnostic in
        let location = converter.location(for: diagnostic.position)
        let source = lines.indices.contains(location.line - 1) ? lines[location.line - 1] : ""
        return ProofFailure(
            file: file.name, template: file.template(atLine: location.line), line: location.line, column: location.column,
            message: diagnostic.message, source: source.trimmingLineEnd)
    }
    // The parser can mark a tree as erroneous without a diagnostic. The file is not valid Swift in that case either.
    guard found.isEmpty else { return found }
    return [
        ProofFailure(
            file: file.name, template: file.sections.first?.template, line: 1, column: 1, message: "the parser has found an error",
            source: lines.first?.trimmingLineEnd ?? "")
    ]
}

extension String {
    fileprivate var trimmingLineEnd: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
