internal import Foundation

/// One run of a flow, with its context and its stored progress.
struct StepRun {
    private(set) var context: OnboardingContext
    var record: OnboardingRecord
    private let progress: @Sendable (OnboardingProgress) -> Void

    /// Creates a run that continues from the stored progress.
    init(_ context: OnboardingContext, progress: @escaping @Sendable (OnboardingProgress) -> Void) throws(OnboardingError) {
        self.progress = progress
        do {
            record =
                try context.credentialStore.get(OnboardingRecord.self, for: OnboardingKey.record)
                ?? OnboardingRecord(onboardingID: context.onboardingID)
        } catch {
            throw .notStored(step: nil, error: error)
        }
        self.context = context
        self.context.onboardingID = record.onboardingID
    }

    /// Runs one step.
    mutating func take(
        _ step: any OnboardingStep, at index: Int, of count: Int, phase: OnboardingProgress.Phase
    ) async throws(OnboardingError) {
        let name = step.stepName
        progress(OnboardingProgress(step: name, number: index + 1, count: count, phase: phase))
        do {
            try Task.checkCancellation()
            if phase != .restoring {
                context = try await step.onboard(context: context)
            } else if !record.isComplete, let step = step as? WelcomeScreenStep {
                context = try await step.resume(context: context)
            } else {
                context = try await step.restore(context: context)
            }
        } catch is CancellationError {
            throw .cancelled(step: name)
        } catch {
            throw Task.isCancelled ? .cancelled(step: name) : .stepFailed(step: name, error: error)
        }
        progress(OnboardingProgress(step: name, number: index + 1, count: count, phase: .done))
    }

    /// Stores that a step is complete.
    mutating func complete(_ entry: StepList.Entry) throws(OnboardingError) {
        record.completedSteps.append(entry.path)
        record.isComplete = false
        try store(after: entry.step.stepName)
    }

    /// Stores that all steps are complete.
    mutating func completeAll(after step: String?) throws(OnboardingError) {
        record.isComplete = true
        try store(after: step)
    }

    private func store(after step: String?) throws(OnboardingError) {
        do {
            try context.credentialStore.put(record, for: OnboardingKey.record)
        } catch {
            throw .notStored(step: step, error: error)
        }
    }
}
