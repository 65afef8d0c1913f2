/// Restores an onboarded application after its start, without asking the user for stored values.
///
/// ```swift
/// let context = try await RestoringFlow(steps: restoringSteps, context: OnboardingContext(credentialStore: store)).run()
/// ```
public struct RestoringFlow: Sendable {
    /// The steps, in order.
    public let steps: [any OnboardingStep]
    private let context: OnboardingContext
    private let progress: @Sendable (OnboardingProgress) -> Void

    /// Creates a flow.
    ///
    /// - Parameters:
    ///   - steps: The steps, in order. They may differ from those of the onboarding.
    ///   - context: The context of the first step.
    ///   - progress: Called before and after each step.
    public init(
        steps: [any OnboardingStep], context: OnboardingContext,
        progress: @escaping @Sendable (OnboardingProgress) -> Void = { _ in }
    ) {
        self.steps = steps
        self.context = context
        self.progress = progress
    }

    /// Returns whether an onboarding with the context's store is complete.
    ///
    /// - Throws: ``OnboardingError`` if the store fails.
    public func isOnboarded() throws(OnboardingError) -> Bool { try StepRun(context, progress: progress).record.isComplete }

    /// Restores all steps.
    ///
    /// - Throws: ``OnboardingError``, with ``OnboardingError/notOnboarded`` if no onboarding is complete.
    public func run() async throws(OnboardingError) -> OnboardingContext {
        var run = try StepRun(context, progress: progress)
        guard run.record.isComplete else { throw .notOnboarded }
        let entries = StepList(steps).entries
        for (number, entry) in entries.enumerated() {
            try await run.take(entry.step, at: number, of: entries.count, phase: .restoring)
        }
        return run.context
    }
}
