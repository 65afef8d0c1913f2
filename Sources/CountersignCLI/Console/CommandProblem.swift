import ArgumentParser
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

extension CommandProblem: LocalizedError {
    var errorDescription: String? { description }
    var recoverySuggestion: String? { remedy }
}
