import ArgumentParser

/// Why an onboarding cannot begin, and the status that the command then ends with.
struct OnboardProblem: Error, CustomStringConvertible {
    let description: String
    let exit: ExitCode

    init(_ description: String, exit: ExitCode = CommandExit.failed) {
        self.description = description
        self.exit = exit
    }
}
