internal import Foundation

/// Runs the steps from the installation of an application to its first authenticated request.
///
/// ```swift
/// let flow = OnboardingFlow(steps: onboardingSteps, context: OnboardingContext(credentialStore: store))
/// let context = try await flow.run()
/// let (orders, _) = try await context.sapURLSession.data(from: ordersURL)
/// ```
///
/// The progress is stored after each step. A flow that was interrupted by an error, the user or the end of the process continues
/// after the last completed step; the steps before are restored, unless another configuration has arrived meanwhile. If the
/// application's steps have changed, it continues at the first difference. A complete flow restores all steps; ``RestoringFlow``
/// does so with separate steps.
public struct OnboardingFlow: Sendable {
    /// The steps, in order.
    public let steps: [any OnboardingStep]
    private let context: OnboardingContext
    private let progress: @Sendable (OnboardingProgress) -> Void

    /// Creates a flow.
    ///
    /// - Parameters:
    ///   - steps: The steps, in order.
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

    /// Runs the remaining steps.
    ///
    /// - Returns: The last step's context, with the configured session.
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

    /// Resets the steps and deletes their stored data, in reverse order. The next run begins at the first step and needs a login.
    ///
    /// Authentication steps end the session of the flow's context and delete the credentials of the server in the store, even after
    /// a restart of the application. The server is not notified; use a logout for that.
    public func reset() async {
        var context = context
        for case let step as WelcomeScreenStep in StepList(steps).entries.map(\.step) {
            // Restoring this step determines the server of the credentials from the store, without asking the user.
            if let restored = try? await step.restore(context: context) { context = restored }
        }
        for step in steps.reversed() { await step.reset(context: context) }
        try? context.credentialStore.remove(for: OnboardingKey.record)
    }
}
