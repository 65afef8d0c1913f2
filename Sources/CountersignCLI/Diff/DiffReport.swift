import Countersign
import CountersignSpec
import Foundation

// The report of `countersign diff`, for people and as JSON.

/// The report of the changes between two versions of a landscape.
struct DiffReport {
    let comparison: LandscapeComparison

    // MARK: Text

    /// Returns the report as text.
    ///
    /// - Parameter stream: The stream whose style the text has.
    func text(on stream: Console.Stream) -> String {
        let (breaking, others) = (comparison.breaking, comparison.changes.filter { !$0.isBreaking })
        guard !comparison.changes.isEmpty || comparison.documentation > 0 else { return "no differences" }
        var lines = [title(breaking.count, others.count)]
        if !breaking.isEmpty { lines += ["", stream.styled("breaking", .red)] + Self.lines(breaking) }
        if !others.isEmpty { lines += ["", stream.styled("compatible", .green)] + Self.lines(others) }
        return lines.joined(separator: "\n")
    }

    private func title(_ breaking: Int, _ others: Int) -> String {
        var title = VisibleText.escaped(comparison.newName) + ": "
        title += breaking == 1 ? "1 breaking change" : "\(breaking == 0 ? "no" : "\(breaking)") breaking changes"
        if others > 0 { title += ", \(others) other\(others == 1 ? "" : "s")" }
        let documentation = comparison.documentation
        if documentation > 0 { title += ", \(documentation) change\(documentation == 1 ? "" : "s") of documentation" }
        return title
    }

    /// Returns a line for each change, with aligned columns.
    private static func lines(_ changes: [LandscapeChange]) -> [String] {
        let rows = changes.map { change in
            let place = change.location.map { "\($0.file):\($0.line):\($0.column)" } ?? ""
            return [place, change.area.rawValue, "\(change.subject): \(change.text)"].map(VisibleText.escaped)
        }
        let untitled = TextTable.Column(title: "")
        // The first lines are the titles and the rule, which are empty.
        return Array(TextTable(columns: [untitled, untitled, untitled], rows: rows).lines().dropFirst(2))
    }

    // MARK: JSON

    private struct Report: Encodable {
        let version: Int
        let old: String
        let new: String
        let breaking: Int
        let documentation: Int
        let changes: [Row]
    }

    private struct Row: Encodable {
        let area: String
        let kind: String
        let isBreaking: Bool
        let path: String?
        let declaration: String?
        let text: String
        let old: String?
        let new: String?
        let file: String?
        let line: Int?
        let column: Int?

        init(_ change: LandscapeChange) {
            area = change.area.rawValue
            kind = change.kind.rawValue
            isBreaking = change.isBreaking
            path = change.location == nil ? nil : change.subject
            declaration = change.location == nil ? change.subject : nil
            text = change.text
            old = change.old
            new = change.new
            file = change.location?.file
            line = change.location?.line
            column = change.location?.column
        }
    }

    /// Returns the report as JSON.
    func json() throws -> String {
        let report = Report(
            version: 1, old: comparison.oldName, new: comparison.newName, breaking: comparison.breaking.count,
            documentation: comparison.documentation, changes: comparison.changes.map(Row.init))
        return try JSONText.of(report)
    }
}
