/// The stored state of an onboarding, readable before a flow runs.
package struct KeptOnboarding: Sendable {
    /// The stored configuration; `nil` if the onboarding would begin at its first step.
    package let configuration: DiscoveryConfiguration?
    /// Whether all steps are complete.
    package let isComplete: Bool

    /// Reads the stored state.
    ///
    /// - Throws: ``OnboardingError/notStored(step:error:)`` if the store fails.
    package init(in store: any CodableStoring) throws(OnboardingError) {
        do {
            let record = try store.get(OnboardingRecord.self, for: OnboardingKey.record)
            let hasBegun = record?.completedSteps.isEmpty == false
            configuration = hasBegun ? try store.get(DiscoveryConfiguration.self, for: OnboardingKey.configuration) : nil
            isComplete = record?.isComplete ?? false
        } catch {
            throw .notStored(step: nil, error: error)
        }
    }
}
