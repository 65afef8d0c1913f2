@_spi(Generated) public import Countersign

extension FoundationSession {
    /// Does an operation of a landscape, such as a logout; see `Session.perform(_:)` in the module Countersign.
    ///
    /// - Returns: What the operation has found out.
    /// - Throws: `URLError`; `CountersignError`.
    @discardableResult
    public func perform(_ operation: LandscapeOperation) async throws -> OperationResults {
        try await perform(operation, with: ProgramTools())
    }

    /// The same for an operation whose steps need tools.
    @_spi(Generated) @discardableResult
    public func perform(_ operation: LandscapeOperation, with tools: ProgramTools) async throws -> OperationResults {
        do {
            return try await session.perform(operation, with: tools)
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
