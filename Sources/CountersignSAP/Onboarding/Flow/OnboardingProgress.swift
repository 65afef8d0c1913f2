/// How far a flow is.
public struct OnboardingProgress: Sendable, Hashable {
    /// What happens with the step.
    public enum Phase: String, Sendable, Hashable {
        /// It is being done for the first time.
        case onboarding
        /// What it had done is being brought back.
        case restoring
        /// It is done.
        case done
    }

    /// The step's name.
    public let step: String
    /// Its number, from 1.
    public let number: Int
    /// How many steps there are, those of composite steps each.
    public let count: Int
    /// What happens with it.
    public let phase: Phase
}
