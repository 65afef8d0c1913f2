/// Waits for an event, and throws if it does not occur within a minute, so that a failing test names the event instead of
/// hanging.
///
/// A test that passes never waits for the limit.
///
/// - Parameters:
///   - what: The event, as a sentence.
///   - limit: The time limit.
///   - event: Waits for the event, and returns when its task is cancelled.
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

/// The error for an event that did not occur within the time limit.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}
