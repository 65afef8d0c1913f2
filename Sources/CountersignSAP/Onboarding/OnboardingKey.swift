/// Under which keys onboarding keeps things in the application's store.
enum OnboardingKey {
    static let prefix = "com.sap.onboarding."
    static let configuration = prefix + "configuration"
    static let record = prefix + "record"
    static let settings = prefix + "settings"
}
