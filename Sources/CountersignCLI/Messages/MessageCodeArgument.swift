import CountersignSpec

/// The code of a message as a user types it.
enum MessageCodeArgument {
    /// The code of an argument, in capital or small letters; `nil` if the argument is no code at all.
    ///
    /// - Throws: ``CommandProblem``, with the nearest codes, if there is no such code.
    static func code(_ argument: String) throws(CommandProblem) -> DiagnosticCode? {
        guard let match = argument.wholeMatch(of: /[Cc][Ss]([0-9]+)/) else { return nil }
        if let code = DiagnosticCode(rawValue: argument.uppercased()) { return code }
        let nearest = nearest(to: Int(match.1) ?? .max).map(\.rawValue)
        throw CommandProblem(
            "There is no message code '\(VisibleText.escaped(argument))'.",
            remedy: "The nearest are \(nearest.joined(separator: ", ")). 'countersign reference' has all of them.",
            exit: CommandExit.usage)
    }

    /// The three codes whose numbers are nearest, the nearest first.
    private static func nearest(to number: Int) -> [DiagnosticCode] {
        func distance(_ code: DiagnosticCode) -> UInt { (Int(code.rawValue.dropFirst(2)) ?? 0).distance(to: number).magnitude }
        let sorted = DiagnosticCode.allCases.sorted { (distance($0), $0.rawValue) < (distance($1), $1.rawValue) }
        return Array(sorted.prefix(3))
    }
}
