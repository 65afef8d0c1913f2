/// Several steps as one, which the flow runs in order.
public final class CompositeStep: OnboardingStep {
    /// The steps.
    public let steps: [any OnboardingStep]

    /// Creates a step from several.
    public init(steps: [any OnboardingStep]) { self.steps = steps }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        for step in steps { context = try await step.onboard(context: context) }
        return context
    }

    public func restore(context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        for step in steps { context = try await step.restore(context: context) }
        return context
    }

    public func reset(context: OnboardingContext) async {
        for step in steps.reversed() { await step.reset(context: context) }
    }
}
