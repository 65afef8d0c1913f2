#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs the steps of a ``MethodProgram`` to a credential.
struct StepRunner: Sendable {
    private let method: PreparedProgram
    private let session: Session
    private let report: @Sendable (SessionEvent.Kind) -> Void
    /// All values by slot.
    private(set) var values: [ProgramValue]

    /// Fills the fields of the credential that need no step.
    ///
    /// - Parameters:
    ///   - challenge: What led to the run.
    ///   - session: What requests are sent by.
    ///   - report: Receives each step that was run to its end.
    init(
        _ method: PreparedProgram, after challenge: ChallengeReading, in session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.method = method
        self.session = session
        self.report = report
        values = method.parameters
        for (slot, value) in challenge.values { values[slot] = value }
        for field in method.program.credential.fields {
            guard let text = field.value?.text(values) else { continue }
            values[field.slot] = method.program.slots[field.slot].isSecret ? .secret(text) : .text(text)
        }
    }

    /// Runs the steps.
    ///
    /// - Parameter prompt: What the application is asked with, if it is.
    /// - Throws: ``CallRun/Refusal``; ``CountersignError``; ``TransportError``; an error of the application's; `CancellationError`.
    mutating func run(_ steps: [ProgramStep], _ prompt: CredentialPrompt) async throws {
        for (index, step) in steps.enumerated() {
            switch step {
            case .prompt(let number, let slots):
                var prompt = prompt
                if let receiver = receiver(of: slots, among: steps[(index + 1)...]) { prompt.origin = receiver }
                let answer = try await ask(number, prompt)
                for (slot, value) in zip(slots, answer) { values[slot] = value }
                report(.ran(step: "prompt"))
            case .http(let call):
                for (slot, value) in try await CallRun(call: call, session: session, values: values).said() {
                    values[slot] = method.program.slots[slot].isSecret ? value.asSecret : value
                }
                report(.ran(step: "http"))
            }
        }
    }

    /// The server that a later request takes values to, as far as its address is known; `nil` if none does.
    private func receiver(of slots: [Int], among steps: ArraySlice<ProgramStep>) -> Origin? {
        for case .http(let call) in steps where call.uses(slots) {
            return call.url.text(values).flatMap { URL(string: $0) }.flatMap { Origin($0) }
        }
        return nil
    }

    private func ask(_ number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue] {
        do {
            if let answer = try await method.prompter?.answer(prompt: number, prompt) { return answer }
        } catch is CancellationError {
            FlightScope.noteDismissal()
            throw CountersignError(.cancelled, detail: "the application gave no credential")
        }
        throw CountersignError(.credentialMissing, detail: "the application has no credential for \(prompt.origin)")
    }
}
