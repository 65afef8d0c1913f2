/// Numbers that are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// Returns a text of parts that have a meaning in Swift, in Stencil, in terminals or in Unicode.
    mutating func nastyText() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...24, using: &self) {
            switch Int.random(in: 0..<4, using: &self) {
            case 0: text += Self.pieces.randomElement(using: &self) ?? ""
            case 1: text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0...0xFF, using: &self)))
            case 2: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0x80...0xD7FF, using: &self)) ?? "x")
            default: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0xE000...0x10FFFF, using: &self)) ?? "x")
            }
        }
        return text
    }

    private static let pieces = [
        "\"", "\"\"\"", "\\", "\\(", "\\(run())", "\\u{41}", "\\#(", "#\"", "\"#", "*/", "/*", "//", "///", "`", "```", "\n", "\r",
        "\r\n",
        "\t", "\0", "\u{B}", "\u{C}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{2028}",
        "\u{2029}",
        "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{301}", "e\u{301}", "\u{20DD}", "👩‍👩‍👧", "🇦🇹", "{{", "}}", "{%",
        "%}",
        "{#", "#}", "{{ it.name }}", "let a = 1", "}", "$0", "#if", "#sourceLocation(file: \"x\", line: 1)", "'", ";", " ", "ü",
        "日本",
    ]
}
