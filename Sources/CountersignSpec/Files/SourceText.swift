/// The text of a file as Unicode scalars, in lines as libyaml counts them, so that its marks can be looked up.
struct SourceText: Sendable {
    let file: String
    let scalars: [Unicode.Scalar]
    /// The index of each line's first scalar.
    private let lineStarts: [Int]

    /// - Parameter scalars: Without a byte order mark.
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

    /// The index of a place, from 1 each; the end of the text for a place behind it.
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

    /// A line without its break, from 1; `nil` if there is none of that number.
    func line(_ number: Int) -> String? {
        guard (1...lineStarts.count).contains(number) else { return nil }
        return String(scalars: scalars[lineStarts[number - 1]..<lineEnd(after: lineStarts[number - 1])])
    }

    /// The index of the next line break, or of the end.
    func lineEnd(after index: Int) -> Int {
        let next = line(of: index) + 1
        guard next < lineStarts.count else { return scalars.count }
        let end = lineStarts[next] - 1
        return end > index && scalars[end] == "\n" && scalars[end - 1] == "\r" ? end - 1 : end
    }

    /// The line of an index, from 0.
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
    /// As libyaml has it.
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
