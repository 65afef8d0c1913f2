import Foundation
import Testing

/// A seed: a document of SAP whose samples are in the test targets. It is beside the package, or missing.
struct SeedDocument {
    private static let folder = SeedSampleFile.root.deletingLastPathComponent().appending(path: "shared/seeds")

    private static let names = [
        "S0": "000-authentication-overview", "S1": "001-otp-authenticator", "S2": "002-mobile-services-authentication-guide",
        "S3": "003-sapcpms-user-identity-discovery", "S4": "004-oauth2-authenticator",
    ]

    static let whereTheyAre: Comment =
        "the documents that the samples are from are missing; they are not published (see 'Development' in README.md)"

    static let areThere = FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))

    /// The lines without the spaces around them.
    let lines: [String]

    init(_ seed: String) throws {
        let name = Self.names[seed] ?? seed
        let text = try String(contentsOf: Self.folder.appending(path: name + ".txt"), encoding: .utf8)
        lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Returns the lines of the sample, including the empty ones between them; `nil` if they are missing.
    func range(of sample: SeedSample) -> Range<Int>? {
        let starts = lines.indices.filter { lines[$0] == sample.first }
        guard starts.count >= sample.occurrence else { return nil }
        let start = starts[sample.occurrence - 1]
        var end = start
        var left = sample.lines
        while left > 0, end < lines.count {
            if !lines[end].isEmpty { left -= 1 }
            end += 1
        }
        return left == 0 ? start..<end : nil
    }

    /// The lines that look like code, except for declarations of the SDK.
    var code: [Int] {
        let declared = declarations
        return lines.indices.filter { $0 > 3 && !declared.contains($0) && Self.looksLikeCode(lines[$0]) }
    }

    /// The lines after "Declaration" and "Swift".
    private var declarations: Set<Int> {
        var found: Set<Int> = []
        for index in lines.indices.dropFirst(2) where lines[index] == "Swift" && lines[index - 2].hasSuffix("Declaration") {
            var line = index + 2
            while line < lines.count, !lines[line].isEmpty {
                found.insert(line)
                line += 1
            }
        }
        return found
    }

    private static func looksLikeCode(_ line: String) -> Bool {
        let starts = [
            "let ", "var ", "func ", "class ", "public ", "override ", "private ", "import ", "return ", "if ", "guard ", "Task ",
            "do ",
            "self.", "case ", "struct ", "extension ", "//", "{", "}", "]", "<key>", "<array>", "<dict>", "\"com.",
        ]
        if starts.contains(where: line.hasPrefix) { return true }
        return line.prefixMatch(of: /\w+\.(register|authenticate|refresh|cancelAuthentication|resume)\(/) != nil
    }
}
