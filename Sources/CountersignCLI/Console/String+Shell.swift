import Countersign

extension String {
    /// The text as one word of a POSIX shell.
    var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-:=".contains($0)) }
        return isPlain ? self : "'\(VisibleText.escaped(replacing("'", with: #"'\''"#)))'"
    }
}
