internal import Foundation

/// How far an onboarding is, as it is stored after each step.
struct OnboardingRecord: Codable, Sendable, Equatable {
    /// Tells one onboarding from another.
    var onboardingID: UUID
    /// The paths of the steps that are done, in their order.
    var completedSteps: [String] = []
    /// Whether all are.
    var isComplete = false
}
