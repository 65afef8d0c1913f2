/// Waits for an event, and throws if it does not occur within five minutes, so that a failing test names the event instead of
/// hanging.
///
/// A test that passes never waits for the limit. The limit is long, because thousands of tests begin at once, and share a machine for
/// more than a minute.
///
/// - Parameters:
///   - what: The event, as a sentence.
///   - limit: The time limit.
///   - event: Waits for the event, and returns when its task is cancelled.
package func within(
    _ what: String, limit: Duration = .seconds(300), _ event: @escaping @Sendable () async -> Void
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
