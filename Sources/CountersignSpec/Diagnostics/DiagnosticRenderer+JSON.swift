#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DiagnosticRenderer {
    /// All diagnostics as a JSON object with `version` and `diagnostics`, with sorted keys, ending in a line break.
    ///
    /// - Parameter corrections: The corrections that were made before; `nil` if none were asked for.
    package static func json(_ diagnostics: [Diagnostic], after corrections: [SpecCorrection]? = nil) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(
            Report(
                version: "1", diagnostics: diagnostics.map(Report.Entry.init),
                corrections: corrections.map { $0.map(Report.Correction.init) }))
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

/// The JSON format; its version changes when a key changes its meaning.
private struct Report: Encodable {
    let version: String
    let diagnostics: [Entry]
    let corrections: [Correction]?

    struct Entry: Encodable {
        let severity: String
        let code: String
        let message: String
        let file: String
        let line: Int
        let column: Int
        let length: Int
        let suggestion: String?
        let notes: [Note]

        init(_ diagnostic: Diagnostic) {
            severity = diagnostic.severity.rawValue
            code = diagnostic.code.rawValue
            message = diagnostic.message
            file = diagnostic.location.file
            line = diagnostic.location.line
            column = diagnostic.location.column
            length = diagnostic.length
            suggestion = diagnostic.suggestion
            notes = diagnostic.notes.map(Note.init)
        }
    }

    struct Correction: Encodable {
        let code: String
        let file: String
        let line: Int
        let column: Int
        let old: String
        let new: String

        init(_ correction: SpecCorrection) {
            code = correction.code.rawValue
            file = correction.location.file
            line = correction.location.line
            column = correction.location.column
            old = correction.old
            new = correction.new
        }
    }

    struct Note: Encodable {
        let message: String
        let file: String
        let line: Int
        let column: Int

        init(_ note: Diagnostic.Note) {
            message = note.message
            file = note.location.file
            line = note.location.line
            column = note.location.column
        }
    }
}
