/// The text of a file as Unicode scalars, in lines as libyaml counts them, so that libyaml's marks can be looked up.
struct SourceText: Sendable {
    let file: String
    let scalars: [Unicode.Scalar]
    /// The index of each line's first scalar.
    private let lineStarts: [Int]

    /// - Parameter scalars: The text without a byte order mark.
    init(file: String, scalars: [Unicode.Scalar]) {
        self.file = file
        self.scalars = scalars
        var starts = [0]
        for (index, scalar) in scalars.enumerated() where scalar.isLineBreak {
            if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
            starts.append(index + 1)
        }
        lineStarts = starts
    }

    /// Returns the index of a line and a column, both counted from 1; the end of the text for a place after it.
    func index(line: Int, column: Int) -> Int {
        guard line >= 1 else { return 0 }
        guard line <= lineStarts.count else { return scalars.count }
        return min(lineStarts[line - 1] + max(0, column - 1), scalars.count)
    }

    /// The place of an index.
    func location(at index: Int) -> SourceLocation {
        let line = line(of: index)
        return SourceLocation(file: file, line: line + 1, column: index - lineStarts[line] + 1)
    }

    /// Returns a line without its line break, counted from 1; `nil` if there is no such line.
    func line(_ number: Int) -> String? {
        guard (1...lineStarts.count).contains(number) else { return nil }
        return String(scalars: scalars[lineStarts[number - 1]..<lineEnd(after: lineStarts[number - 1])])
    }

    /// Returns the index of the next line break, or of the end of the text.
    func lineEnd(after index: Int) -> Int {
        let next = line(of: index) + 1
        guard next < lineStarts.count else { return scalars.count }
        let end = lineStarts[next] - 1
        return end > index && scalars[end] == "\n" && scalars[end - 1] == "\r" ? end - 1 : end
    }

    /// Returns the line of an index, counted from 0.
    private func line(of index: Int) -> Int {
        var (low, high) = (0, lineStarts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= index { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

extension Unicode.Scalar {
    /// Whether libyaml treats the character as a line break.
    var isLineBreak: Bool {
        switch self {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// A space or a tab.
    var isBlank: Bool { self == " " || self == "\t" }
}

extension String {
    init<Scalars: Sequence<Unicode.Scalar>>(scalars: Scalars) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
