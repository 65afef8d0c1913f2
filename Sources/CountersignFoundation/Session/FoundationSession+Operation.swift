public import Countersign

extension FoundationSession {
    /// Does an operation of a landscape, such as a logout; see `Session.perform(_:)` in the module Countersign.
    ///
    /// - Throws: `URLError`; `CountersignError`.
    public func perform(_ operation: LandscapeOperation) async throws {
        do {
            try await session.perform(operation)
        } catch {
            throw error.forFoundation
        }
    }

    /// Does an operation of a landscape.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - completionHandler: Called once, on no particular thread, with the error or without one.
    @preconcurrency public func perform(
        _ operation: LandscapeOperation, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            do {
                try await perform(operation)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }
}
