/// Steps for most applications, grouped by their place in a flow.
///
/// ```swift
/// let steps: [any OnboardingStep] = [
///     CompositeStep(steps: SAPcpmsDefaultSteps.configuration), authentication,
///     CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload), CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringOnboard),
/// ]
/// ```
public enum SAPcpmsDefaultSteps {
    /// Configures the session, before the authentication.
    public static var configuration: [any OnboardingStep] { [SAPcpmsSessionConfigurationStep()] }
    /// Downloads the server's settings, after the authentication.
    public static var settingsDownload: [any OnboardingStep] { [SAPcpmsSettingsDownloadStep()] }
    /// Applies the downloaded settings.
    public static var applyDuringOnboard: [any OnboardingStep] { [SAPcpmsSettingsApplyStep()] }
    /// Applies the settings of this start, or the stored ones.
    public static var applyDuringRestore: [any OnboardingStep] { [SAPcpmsSettingsApplyStep()] }
}
