internal import Foundation

/// Runs the steps from an installed application to its first authenticated request.
///
/// ```swift
/// let flow = OnboardingFlow(steps: onboardingSteps, context: OnboardingContext(credentialStore: store))
/// let context = try await flow.run()
/// let (orders, _) = try await context.sapURLSession.data(from: ordersURL)
/// ```
///
/// After each step the progress is stored. A flow that was interrupted, by an error, by the user or by the end of the process, goes
/// on behind the last step that was done: the steps before are restored, but for another configuration that has come in since. If
/// the application's steps are others than they were, it goes on where they begin to differ. A flow that has come to its end
/// restores all steps; ``RestoringFlow`` does that with steps of its own.
public struct OnboardingFlow: Sendable {
    /// The steps, in their order.
    public let steps: [any OnboardingStep]
    private let context: OnboardingContext
    private let progress: @Sendable (OnboardingProgress) -> Void

    /// Makes a flow.
    ///
    /// - Parameters:
    ///   - steps: The steps, in their order.
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

    /// Runs the steps that are left.
    ///
    /// - Returns: The last step's context, with the session that is set up.
    /// - Throws: ``OnboardingError``, which names the step.
    public func run() async throws(OnboardingError) -> OnboardingContext {
        var run = try StepRun(context, progress: progress)
        let entries = StepList(steps).entries
        let done = zip(entries, run.record.completedSteps).prefix { $0.path == $1 }.count
        run.record.completedSteps.removeSubrange(done...)
        for (number, entry) in entries.enumerated() {
            let isDone = number < done
            try await run.take(entry.step, at: number, of: entries.count, phase: isDone ? .restoring : .onboarding)
            if !isDone { try run.complete(entry) }
        }
        if !run.record.isComplete { try run.completeAll(after: entries.last?.step.stepName) }
        return run.context
    }

    /// Takes back what the steps have done and kept, the last first: the next run begins at the first step, and asks who the user
    /// is.
    ///
    /// Authentication steps end the session of the flow's context and forget the credentials of the server that the store names, also after a
    /// new start of the application. The server is not notified: that is what a logout is for.
    public func reset() async {
        var context = context
        for case let step as WelcomeScreenStep in StepList(steps).entries.map(\.step) {
            // It says from the store which server the credentials are for, and asks nothing.
            if let restored = try? await step.restore(context: context) { context = restored }
        }
        for step in steps.reversed() { await step.reset(context: context) }
        try? context.credentialStore.remove(for: OnboardingKey.record)
    }
}
