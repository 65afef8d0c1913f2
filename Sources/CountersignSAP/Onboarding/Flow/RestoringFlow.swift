/// Brings an onboarded application back after its start, without asking the user for anything that is kept.
///
/// ```swift
/// let context = try await RestoringFlow(steps: restoringSteps, context: OnboardingContext(credentialStore: store)).run()
/// ```
public struct RestoringFlow: Sendable {
    /// The steps, in their order.
    public let steps: [any OnboardingStep]
    private let context: OnboardingContext
    private let progress: @Sendable (OnboardingProgress) -> Void

    /// Makes a flow.
    ///
    /// - Parameters:
    ///   - steps: The steps, in their order; they need not be those of the onboarding.
    ///   - context: What the first step gets.
    ///   - progress: Called before and after each step.
    public init(
        steps: [any OnboardingStep], context: OnboardingContext,
        progress: @escaping @Sendable (OnboardingProgress) -> Void = { _ in }
    ) {
        self.steps = steps
        self.context = context
        self.progress = progress
    }

    /// Whether an onboarding has come to its end with the context's store.
    ///
    /// - Throws: ``OnboardingError`` if the store cannot say.
    public func isOnboarded() throws(OnboardingError) -> Bool { try StepRun(context, progress: progress).record.isComplete }

    /// Restores all steps.
    ///
    /// - Throws: ``OnboardingError``; ``OnboardingError/notOnboarded`` if no onboarding has come to its end.
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
