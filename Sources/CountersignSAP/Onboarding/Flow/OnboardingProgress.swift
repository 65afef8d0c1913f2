/// The progress of a flow.
public struct OnboardingProgress: Sendable, Hashable {
    /// The state of a step.
    public enum Phase: String, Sendable, Hashable {
        /// The step runs for the first time.
        case onboarding
        /// The step is restored.
        case restoring
        /// The step is complete.
        case done
    }

    /// The name of the step.
    public let step: String
    /// The number of the step, from 1.
    public let number: Int
    /// The number of steps, including those of composite steps.
    public let count: Int
    /// The state of the step.
    public let phase: Phase
}
