internal import Foundation

/// The progress of an onboarding, which is stored after each step.
struct OnboardingRecord: Codable, Sendable, Equatable {
    /// The identifier of the onboarding.
    var onboardingID: UUID
    /// The paths of the completed steps, in order.
    var completedSteps: [String] = []
    /// Whether all steps are complete.
    var isComplete = false
}
