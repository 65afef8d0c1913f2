import ArgumentParser
import Foundation

/// Why an onboarding cannot begin, what to do, and the status that the command then ends with.
struct OnboardProblem: Error, CustomStringConvertible {
    let description: String
    let remedy: String?
    let exit: ExitCode

    init(_ description: String, remedy: String? = nil, exit: ExitCode = CommandExit.failed) {
        self.description = description
        self.remedy = remedy
        self.exit = exit
    }
}

extension OnboardProblem: LocalizedError {
    var errorDescription: String? { description }
    var recoverySuggestion: String? { remedy }
}
