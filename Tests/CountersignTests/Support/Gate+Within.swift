import TestTurns
import Testing

extension Gate {
    /// Waits until the gate is open, and records an issue if it is still closed after five minutes.
    ///
    /// - Parameter what: The event that opens the gate, as a sentence.
    func pass(_ what: String, sourceLocation: SourceLocation) async {
        do {
            try await within(what) { await self.pass() }
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }
}
