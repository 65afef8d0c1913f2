@_spi(Generated) public import Countersign

extension FoundationSession {
    /// Performs an operation of a landscape, such as a logout; see `Session.perform(_:)` in the module Countersign.
    ///
    /// - Returns: The results of the operation.
    /// - Throws: `URLError`; `CountersignError`.
    @discardableResult
    public func perform(_ operation: LandscapeOperation) async throws -> OperationResults {
        try await perform(operation, with: ProgramTools())
    }

    /// Performs an operation whose steps need tools.
    @_spi(Generated) @discardableResult
    public func perform(_ operation: LandscapeOperation, with tools: ProgramTools) async throws -> OperationResults {
        do {
            return try await session.perform(operation, with: tools)
        } catch {
            throw error.forFoundation
        }
    }

    /// Performs an operation of a landscape.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - completionHandler: Called once, on any thread, with an error or `nil`.
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
