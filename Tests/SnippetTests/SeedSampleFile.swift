import Foundation

/// A file of a test target that contains samples of a seed.
struct SeedSampleFile {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The test targets.
    enum Mode: String, CaseIterable {
        case swift5 = "SeedSamplesSwift5"
        case swift6 = "SeedSamplesSwift6"
    }

    let name: String
    let text: String

    static func all(_ mode: Mode) throws -> [SeedSampleFile] {
        let folder = root.appending(path: "Tests/\(mode.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted().map { name in
            SeedSampleFile(name: name, text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }

    /// The samples' lines by their names, without those that are marked as not printed, and without the quotes around text that
    /// is not Swift.
    var samples: [(id: String, lines: [String])] {
        var samples: [(id: String, lines: [String])] = []
        var isInside = false
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("// sample ") {
                samples.append((String(line.dropFirst("// sample ".count).prefix { $0 != ":" }), []))
                isInside = true
            } else if line == "// end" {
                isInside = false
            } else if isInside, !line.isEmpty, !line.contains("// ours"), !line.hasSuffix("\"\"\"") {
                samples[samples.count - 1].lines.append(line)
            }
        }
        return samples
    }

    /// Whether a line is a printed line of a seed with its placeholders filled in.
    static func line(_ line: String, fills printed: String) -> Bool {
        var rest = line[...]
        var pieces = printed.split(
            separator: /<#.*?#>|<Obfuscated byte array>|<API Key retrieved from mobile services>| ?\.\.\. ?/,
            omittingEmptySubsequences: false)
        guard let last = pieces.popLast() else { return line.isEmpty }
        guard !pieces.isEmpty else { return line == printed }
        guard let first = pieces.first, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst() {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last) && rest.count > last.count
    }
}
