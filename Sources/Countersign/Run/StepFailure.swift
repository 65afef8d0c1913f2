/// Why a step has come to nothing, for which its method may have an error of its own.
@_spi(Generated) public struct StepFailure: Error {
    /// What has failed.
    package let kind: ProgramStep.Failure
    /// What an error of the method's says of it, if it says something; without secrets.
    package let detail: String
    /// What the run ends in where the method has no error for it.
    package let error: any Error

    /// Makes a failure.
    package init(_ kind: ProgramStep.Failure, _ detail: String, error: any Error) {
        self.kind = kind
        self.detail = detail
        self.error = error
    }

    /// Makes a failure that is an error of the runtime's where the method has none.
    package init(_ kind: ProgramStep.Failure, _ detail: String, _ code: CountersignError.Code = .answerRefused) {
        self.init(kind, detail, error: CountersignError(code, detail: detail))
    }
}
