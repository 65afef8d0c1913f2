import Countersign

extension String {
    /// The text as one word of a POSIX shell.
    var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-:=".contains($0)) }
        guard !isPlain else { return self }
        // By Unicode scalars: a quotation mark and a combining mark after it are one `Character`, which is not a quotation mark.
        return "'\(unicodeScalars.map { $0 == "'" ? #"'\''"# : VisibleText.escaped(String($0)) }.joined())'"
    }
}
