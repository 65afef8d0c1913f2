import Foundation

/// The result of the demo, as a table or as JSON.
struct DemoReport: Encodable {
    /// The version of the JSON format.
    let version = 1
    /// The name of the landscape.
    let landscape: String
    let rows: [DemoRow]

    /// Whether every method works.
    var ok: Bool { !rows.isEmpty && rows.allSatisfy(\.ok) }

    private enum CodingKeys: CodingKey { case version, landscape, rows, ok }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(landscape, forKey: .landscape)
        try container.encode(rows, forKey: .rows)
        try container.encode(ok, forKey: .ok)
    }

    /// Returns the table, at most 80 columns wide, with a line for each method.
    ///
    /// - Parameter isVerbose: Whether the challenge and the steps that answer it are shown below each line.
    func table(isVerbose: Bool = false) -> [String] {
        let lines = TextTable(
            columns: [TextTable.Column(title: "method")]
                + ["challenged", "logins", "sends", "time"].map { TextTable.Column(title: $0, isRightAligned: true) },
            rows: rows.map { row in
                [
                    row.method, "\(row.challenged)", "\(row.authentications)", "\(row.sends)",
                    String(format: "%.2fs", row.seconds),
                ]
            }
        ).lines()
        guard isVerbose else { return lines }
        return lines.prefix(2) + zip(lines.dropFirst(2), rows).flatMap { line, row in [line] + row.details() }
    }

    /// Returns the problems, one per line.
    func problems() -> [String] {
        rows.flatMap { row in row.problems.map { "\(row.method): \($0)" } }
    }

    /// Returns the last line.
    func verdict() -> String {
        guard ok else {
            let failed = rows.filter { !$0.ok }.map(\.method)
            return "failed: \(failed.isEmpty ? "there is nothing to show" : failed.joined(separator: ", "))"
        }
        let requests = rows.map(\.requests).max() ?? 0
        return "ok: one authentication for \(requests) simultaneous challenges, in each of \(rows.count) ways"
    }

    /// Returns the report as JSON.
    func json() throws -> String { try JSONText.of(self) }
}
