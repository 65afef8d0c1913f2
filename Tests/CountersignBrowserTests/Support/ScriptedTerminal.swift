import Foundation
import Synchronization

@testable import CountersignBrowser

/// A terminal whose user is the test: it reads the screen, and types lines.
final class ScriptedTerminal: Sendable {
    private struct State {
        var screen = ""
        var lines: [String?] = []
        var reader: SingleResult<String?>?
        var watchers: [(text: String, seen: SingleResult<Void>)] = []
        var prose: String { screen.replacing("\n", with: " ") }
    }

    private let state = Mutex(State())

    /// The terminal for a presenter, always the same one.
    let terminal: Terminal

    init(columns: Int? = 200, environment: [String: String] = ["LANG": "C.UTF-8", "NO_COLOR": "1"]) {
        let link = Link()
        terminal = Terminal(
            columns: columns, environment: environment, write: { link.user?.write($0) },
            readLine: { try await link.user?.readLine() })
        link.set(self)
    }

    /// All text that was written.
    var screen: String { state.withLock { $0.screen } }

    /// The text in one line, without the terminal's line breaks.
    var prose: String { screen.replacing("\n", with: " ") }

    /// Types a line; `nil` ends the input.
    func type(_ line: String?) {
        state.withLock { state in
            if let reader = state.reader.take(), reader.settle(.success(line)) { return }
            state.lines.append(line)
        }
    }

    /// Waits until a text is on the screen; the suite's time limit bounds it.
    func reads(_ text: String) async throws {
        let seen = SingleResult<Void>()
        state.withLock { state in
            if state.prose.contains(text) { seen.settle(.success(())) } else { state.watchers.append((text, seen)) }
        }
        try await seen.value()
    }

    private func write(_ text: String) {
        let seen = state.withLock { state in
            state.screen += text
            let prose = state.prose
            let seen = state.watchers.filter { prose.contains($0.text) }
            state.watchers.removeAll { prose.contains($0.text) }
            return seen
        }
        for watcher in seen { watcher.seen.settle(.success(())) }
    }

    private func readLine() async throws -> String? {
        let reader = SingleResult<String?>()
        state.withLock { state in
            if state.lines.isEmpty { state.reader = reader } else { reader.settle(.success(state.lines.removeFirst())) }
        }
        return try await reader.value()
    }

    /// Gives the terminal's functions access to the user, which is created after them.
    private final class Link: Sendable {
        private struct Reference {
            weak var user: ScriptedTerminal?
        }

        private let reference = Mutex(Reference())

        var user: ScriptedTerminal? { reference.withLock { $0.user } }

        func set(_ user: ScriptedTerminal) { reference.withLock { $0.user = user } }
    }
}

/// A clock that stands still until a test ends the one sleep on it.
final class StoppedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let end = SingleResult<Void>()

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try await end.value() }

    /// Ends the sleep.
    func ring() { end.settle(.success(())) }
}
