/// What a store has of an onboarding: to be looked at before a flow is run, and before anything is sent.
package struct KeptOnboarding: Sendable {
    /// The configuration that the onboarding goes on with; `nil` if it would begin at its first step.
    package let configuration: DiscoveryConfiguration?
    /// Whether all steps are done.
    package let isComplete: Bool

    /// Reads it.
    ///
    /// - Throws: ``OnboardingError/notStored(step:error:)`` if the store cannot say.
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
