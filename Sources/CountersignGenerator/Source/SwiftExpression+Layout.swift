extension SwiftExpression {
    /// The maximum length of a generated line that can be broken.
    private static let width = 132

    /// Returns the expression as source, broken where a line would be too long.
    ///
    /// - Parameters:
    ///   - indentation: The number of spaces at the beginning of the expression's line.
    ///   - offset: The length of the text before the expression on that line.
    func source(indentation: Int, after offset: Int = 0) -> String {
        let line = onOneLine
        if !mustBreak, indentation + offset + line.count <= Self.width { return line }
        switch self {
        case .verbatim: return line
        case .call(let callee, let arguments):
            let head = callee.source(indentation: indentation, after: offset)
            if arguments.isEmpty { return "\(head)()" }
            let around = Self.call(head, around: arguments, indentation: indentation, after: offset)
            if arguments.count == 1, let around { return around }
            let broken = "\(head)(\n" + Self.lines(arguments.map(\.piece), indentation: indentation + 4) + ")"
            return around.map { $0.lineCount <= broken.lineCount ? $0 : broken } ?? broken
        case .list(let elements):
            if elements.isEmpty { return "[]" }
            let lines = Self.lines(elements.map { (label: nil, value: $0) }, indentation: indentation + 4)
            return "[\n\(lines)\(elements.count > 1 ? "," : "")\n\(Self.spaces(indentation))]"
        case .parameterList(let parameters):
            let lines = Self.lines(parameters.map { (label: nil, value: $0) }, indentation: indentation + 4)
            return "\n\(lines)\n\(Self.spaces(indentation))"
        case .closure(let parameter, let body):
            let lines = body.map { line in
                let depth = indentation + 4 + line.depth * 4
                return Self.spaces(depth) + line.expression.source(indentation: depth)
            }
            let head = parameter.map { "{ \($0.onOneLine) in" } ?? "{"
            return ([head] + lines + ["\(Self.spaces(indentation))}"]).joined(separator: "\n")
        case .sequence(let parts):
            var text = ""
            for part in parts { text += part.source(indentation: indentation, after: offset + text.count) }
            return text
        case .firstOf(let values):
            return values.enumerated().map { index, value in
                index == 0
                    ? value.source(indentation: indentation, after: offset)
                    : "\(Self.spaces(indentation + 4))?? \(value.source(indentation: indentation + 4, after: 3))"
            }.joined(separator: "\n")
        case .chain(let value, let calls):
            var lines: [String] = []
            for call in calls.map({ $0.source(indentation: indentation + 4) }) {
                if let last = lines.last, last.count + call.count < Self.width {
                    lines[lines.count - 1] += call
                } else {
                    lines.append(Self.spaces(indentation + 4) + call)
                }
            }
            return ([value.source(indentation: indentation, after: offset)] + lines).joined(separator: "\n")
        case .following(let value):
            return "\n\(Self.spaces(indentation + 4))\(value.source(indentation: indentation + 4))"
        }
    }

    /// The expression without line breaks.
    var onOneLine: String {
        switch self {
        case .verbatim(let verbatim): verbatim.source
        case .call(let callee, let arguments):
            callee.onOneLine + "(" + arguments.map { Self.oneLine($0.piece) }.joined(separator: ", ") + ")"
        case .list(let elements): "[" + elements.map(\.onOneLine).joined(separator: ", ") + "]"
        case .parameterList(let parameters): parameters.map(\.onOneLine).joined(separator: ", ")
        case .closure(let parameter, let body):
            "{ " + (parameter.map { "\($0.onOneLine) in " } ?? "") + body.map(\.expression.onOneLine).joined(separator: "; ") + " }"
        case .sequence(let parts): parts.map(\.onOneLine).joined()
        case .firstOf(let values): values.map(\.onOneLine).joined(separator: " ?? ")
        case .chain(let value, let calls): ([value] + calls).map(\.onOneLine).joined()
        case .following(let value): " \(value.onOneLine)"
        }
    }

    private var mustBreak: Bool {
        switch self {
        case .verbatim: false
        case .call(let callee, let arguments): callee.mustBreak || arguments.contains { $0.value.mustBreak }
        case .list(let elements): elements.contains(where: \.mustBreak)
        case .parameterList(let parameters): parameters.contains(where: \.mustBreak)
        case .closure(_, let body): body.count > 1 || body.contains(where: \.expression.mustBreak)
        case .sequence(let parts), .firstOf(let parts): parts.contains(where: \.mustBreak)
        case .chain(let value, let calls): value.mustBreak || calls.contains(where: \.mustBreak)
        case .following(let value): value.mustBreak
        }
    }

    /// Whether the broken expression ends with a line that contains only its closing delimiter, so that a call can enclose it.
    private var breaksInside: Bool {
        switch self {
        case .list(let elements): !elements.isEmpty
        case .call(_, let arguments): !arguments.isEmpty
        case .closure: true
        default: false
        }
    }

    /// Returns a call in which only the longest argument is broken.
    ///
    /// - Returns: `nil` if the other arguments do not fit on the lines before and after that argument.
    private static func call(
        _ head: String, around arguments: [Argument], indentation: Int, after offset: Int
    ) -> String? {
        let breaking = arguments.indices.filter { arguments[$0].value.breaksInside }
        guard let index = breaking.max(by: { arguments[$0].value.onOneLine.count < arguments[$1].value.onOneLine.count }),
            !arguments.indices.contains(where: { $0 != index && arguments[$0].value.mustBreak })
        else { return nil }
        let before = arguments[..<index].map { oneLine($0.piece) + ", " }.joined()
        let label = arguments[index].label.map { "\($0.onOneLine): " } ?? ""
        let start = "\(head)(\(before)\(label)"
        let value = arguments[index].value.source(indentation: indentation, after: offset + start.count)
        let end = arguments[(index + 1)...].map { ", " + oneLine($0.piece) }.joined() + ")"
        // A single argument begins on the line of the call in any case.
        guard arguments.count > 1 else { return start + value + end }
        let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, indentation + offset + start.count + (lines.first?.count ?? 0) <= width,
            (lines.last?.count ?? 0) + end.count <= width
        else { return nil }
        return start + value + end
    }

    private typealias Piece = (label: SwiftExpression?, value: SwiftExpression)

    /// Puts as many pieces on each line as fit. A piece that takes several lines does not share them.
    private static func lines(_ pieces: [Piece], indentation: Int) -> String {
        var lines: [String] = []
        var isOpen = false
        for piece in pieces {
            let label = piece.label.map { "\($0.onOneLine): " } ?? ""
            let text = label + piece.value.source(indentation: indentation, after: label.count)
            let isWhole = text.contains("\n")
            // The comma after the piece must fit, too.
            if let last = lines.last, isOpen, !isWhole, last.count + 2 + text.count < width {
                lines[lines.count - 1] += ", " + text
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "," }
                lines.append(spaces(indentation) + text)
            }
            isOpen = !isWhole
        }
        return lines.joined(separator: "\n")
    }

    private static func oneLine(_ piece: Piece) -> String {
        (piece.label.map { "\($0.onOneLine): " } ?? "") + piece.value.onOneLine
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension String {
    fileprivate var lineCount: Int { count { $0 == "\n" } }
}

extension SwiftExpression.Argument {
    fileprivate var piece: (label: SwiftExpression?, value: SwiftExpression) { (label, value) }
}
