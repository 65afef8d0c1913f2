internal import Countersign

extension WebPresenter {
    /// Runs a login, and converts its errors to those of a presenter.
    ///
    /// - Throws: `CancellationError` if the login or the task was cancelled; a `PresentationFailure` of `login`;
    ///   `PresentationFailure.load` with any other error.
    func reportingFailures<Value>(of login: () async throws -> Value) async throws -> Value {
        do {
            return try await login()
        } catch let failure as PresentationFailure where !Task.isCancelled {
            throw failure
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { throw CancellationError() }
            throw PresentationFailure.load(error)
        }
    }
}
