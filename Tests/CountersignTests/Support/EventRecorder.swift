import Synchronization
import Testing

@testable import Countersign

/// Records a session's events, and lets a test wait for one.
final class EventRecorder: SessionEventObserver {
    private struct Watcher {
        let isEnough: @Sendable (SessionEvent) -> Bool
        let gate: Gate
    }

    private struct State {
        var events: [SessionEvent] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    var events: [SessionEvent] { state.withLock { $0.events } }
    var kinds: [SessionEvent.Kind] { events.map(\.kind) }

    /// Returns the number of events of a kind.
    func count(_ kind: SessionEvent.Kind) -> Int { kinds.count { $0 == kind } }

    func observe(_ event: SessionEvent) {
        let satisfied = state.withLock { state in
            state.events.append(event)
            let satisfied = state.watchers.filter { $0.isEnough(event) }
            state.watchers.removeAll { $0.isEnough(event) }
            return satisfied
        }
        for watcher in satisfied { watcher.gate.open() }
    }

    /// Waits until an event has occurred. Records an issue if that takes longer than five minutes.
    func wait(for kind: SessionEvent.Kind, sourceLocation: SourceLocation = #_sourceLocation) async {
        let gate = Gate()
        let isThere = state.withLock { state in
            if state.events.contains(where: { $0.kind == kind }) { return true }
            state.watchers.append(Watcher(isEnough: { $0.kind == kind }, gate: gate))
            return false
        }
        if !isThere { await gate.pass("\(kind)", sourceLocation: sourceLocation) }
    }
}
