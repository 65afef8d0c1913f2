/// The failure of a step, for which its method may have its own error.
@_spi(Generated) public struct StepFailure: Error {
    /// The kind of failure.
    package let kind: ProgramStep.Failure
    /// The detail for the method's error, if there is one, without secrets.
    package let detail: String
    /// The error of the run if the method has none for the failure.
    package let error: any Error

    /// Creates a failure.
    package init(_ kind: ProgramStep.Failure, _ detail: String, error: any Error) {
        self.kind = kind
        self.detail = detail
        self.error = error
    }

    /// Creates a failure that is a runtime error if the method has none.
    package init(_ kind: ProgramStep.Failure, _ detail: String, _ code: CountersignError.Code = .answerRefused) {
        self.init(kind, detail, error: CountersignError(code, detail: detail))
    }
}
