internal import Synchronization

/// Marks what is sent to a token endpoint: no observer attaches a token to it, or answers a challenge to it with another token request.
enum TokenRequest {
    /// Whether the present task is sending one.
    @TaskLocal static var isUnderWay = false
    /// Notes when the present task's token request is handed to the transport; `nil` if that makes no difference.
    @TaskLocal static var departure: Departure?

    /// Notes that the request of the present task may leave this machine from now on.
    static func noteDeparture() {
        if isUnderWay { departure?.note() }
    }

    /// Whether a token request has been handed to a transport. Until then nothing of it can have reached a server.
    final class Departure: Sendable {
        private let isNoted = Atomic(false)

        /// Whether it has.
        var hasHappened: Bool { isNoted.load(ordering: .acquiring) }

        fileprivate func note() { isNoted.store(true, ordering: .releasing) }
    }
}
