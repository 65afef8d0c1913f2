internal import Synchronization

/// Marks requests to a token endpoint. Observers attach no token to such a request, and do not answer a challenge to it with
/// another token request.
enum TokenRequest {
    /// Whether the current task is sending a token request.
    @TaskLocal static var isUnderWay = false
    /// Notes when the token request of the current task is handed to the transport; `nil` if that is not tracked.
    @TaskLocal static var departure: Departure?

    /// Notes that the request of the current task may leave this machine from now on.
    static func noteDeparture() {
        if isUnderWay { departure?.note() }
    }

    /// Whether a token request was handed to a transport. Before that, no part of it can have reached a server.
    final class Departure: Sendable {
        private let isNoted = Atomic(false)

        /// Whether the request was handed to the transport.
        var hasHappened: Bool { isNoted.load(ordering: .acquiring) }

        fileprivate func note() { isNoted.store(true, ordering: .releasing) }
    }
}
