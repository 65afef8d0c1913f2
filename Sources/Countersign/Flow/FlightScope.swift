internal import Synchronization

/// Tells a request that a flow sends from the requests that wait for the flow.
///
/// A flow may send through the very session that it authenticates. Such a request must not wait for the flow: it would wait for
/// itself (RT-05). So its challenges are not answered by the authentications that it is a part of, and it gets the response as it
/// is.
final class FlightScope: Sendable {
    /// The innermost flow that the present task is a part of.
    @TaskLocal static var current: FlightScope?

    private let coordinator: FlightCoordinator
    private let outer: FlightScope?
    private let isOver = Atomic(false)

    /// A scope for one run of a flow.
    ///
    /// - Parameter outer: The flow whose request needed this one.
    init(of coordinator: FlightCoordinator, within outer: FlightScope?) {
        self.coordinator = coordinator
        self.outer = outer
    }

    /// Whether the present task is a part of a flow of this coordinator. A task that a flow has left behind no longer is.
    static func isInside(_ coordinator: FlightCoordinator) -> Bool {
        var scope = current
        while let candidate = scope {
            if candidate.coordinator === coordinator, !candidate.isOver.load(ordering: .acquiring) { return true }
            scope = candidate.outer
        }
        return false
    }

    /// Runs a flow.
    func run<Result>(_ flow: () async throws -> Result) async rethrows -> Result {
        defer { isOver.store(true, ordering: .releasing) }
        return try await Self.$current.withValue(self, operation: flow)
    }
}

extension Session {
    /// Whether the present task is a part of an authentication.
    package static var isInsideFlow: Bool { FlightScope.current != nil }
}
