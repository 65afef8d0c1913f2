/// Waits for an event, and throws if it has not come after a minute: a test that fails says what is missing instead of hanging.
///
/// A test that passes never waits for the limit.
///
/// - Parameters:
///   - what: The event, as a sentence.
///   - event: Waits for it, and returns when its task is cancelled.
package func within(
    _ what: String, limit: Duration = .seconds(60), _ event: @escaping @Sendable () async -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await event() }
        group.addTask {
            try await ContinuousClock().sleep(for: limit)
            throw NeverCame(description: "not within \(limit): \(what)")
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// An event that a test has waited for in vain.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}
