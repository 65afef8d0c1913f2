import Countersign
import CountersignSpec

/// The code of a message as a user types it.
enum MessageCodeArgument {
    /// Returns the code in an argument, in upper or lower case; `nil` if the argument is not a code.
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

    /// Returns the three codes with the nearest numbers, the nearest first.
    private static func nearest(to number: Int) -> [DiagnosticCode] {
        func distance(_ code: DiagnosticCode) -> UInt { (Int(code.rawValue.dropFirst(2)) ?? 0).distance(to: number).magnitude }
        let sorted = DiagnosticCode.allCases.sorted { (distance($0), $0.rawValue) < (distance($1), $1.rawValue) }
        return Array(sorted.prefix(3))
    }
}
