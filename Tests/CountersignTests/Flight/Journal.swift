import Synchronization
import Testing

@testable import Countersign

/// Records a coordinator's reports, and lets a test wait for one of them.
final class Journal: Sendable {
    /// A comparable report, with a failure represented by the name of its error.
    enum Entry: Sendable, Hashable {
        case started
        case joined(waiters: Int)
        case ended(Generation)
        case failed(String)
        case discarded

        init(_ report: FlightCoordinator.Report) {
            switch report {
            case .started: self = .started
            case .joined(let waiters): self = .joined(waiters: waiters)
            case .ended(let generation): self = .ended(generation)
            case .failed(let error): self = .failed(String(describing: error))
            case .discarded: self = .discarded
            }
        }
    }

    private struct Expectation {
        let entry: Entry
        let times: Int
        let gate: Gate
    }

    private struct State {
        var entries: [Entry] = []
        var counts: [Entry: Int] = [:]
        var expectations: [Expectation] = []

        func fulfils(_ expectation: Expectation) -> Bool { counts[expectation.entry, default: 0] >= expectation.times }
    }

    private let state = Mutex(State())

    /// The reports so far.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Returns how often an entry was reported.
    func count(of entry: Entry) -> Int { state.withLock { $0.counts[entry, default: 0] } }

    /// Records a report.
    func write(_ report: FlightCoordinator.Report) {
        let entry = Entry(report)
        let fulfilled: [Expectation] = state.withLock { state in
            state.entries.append(entry)
            state.counts[entry, default: 0] += 1
            guard !state.expectations.isEmpty else { return [] }
            let fulfilled = state.expectations.filter(state.fulfils)
            state.expectations = state.expectations.filter { !state.fulfils($0) }
            return fulfilled
        }
        for expectation in fulfilled { expectation.gate.open() }
    }

    /// Waits until an entry has been reported the given number of times. Records an issue if that takes longer than five
    /// minutes.
    func wait(for entry: Entry, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let expectation = Expectation(entry: entry, times: times, gate: Gate())
        state.withLock { state in
            if state.fulfils(expectation) { expectation.gate.open() } else { state.expectations.append(expectation) }
        }
        await expectation.gate.pass("\(entry), \(times) times", sourceLocation: sourceLocation)
    }
}
