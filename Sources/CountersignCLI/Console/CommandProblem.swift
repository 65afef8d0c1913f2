import ArgumentParser
import CountersignSpec
import Foundation

/// An error that ends a command: its description, a remedy, and the exit status.
struct CommandProblem: Error, CustomStringConvertible {
    let description: String
    let remedy: String?
    let exit: ExitCode

    init(_ description: String, remedy: String? = nil, exit: ExitCode = CommandExit.failed) {
        self.description = description
        self.remedy = remedy
        self.exit = exit
    }
}

extension CommandProblem {
    /// Returns the remedy for an unknown name: the nearest known one, if there is one, and all of them.
    static func remedy(for name: String, among known: [String]) -> String {
        let nearest = Suggestion.nearest(to: name, among: known).map { "Did you mean '\($0)'? " } ?? ""
        return "\(nearest)There are: \(known.joined(separator: ", "))."
    }
}

extension CommandProblem: LocalizedError {
    var errorDescription: String? { description }
    var recoverySuggestion: String? { remedy }
}
