/// Steps that most applications want, in the groups that they are run in.
///
/// ```swift
/// let steps: [any OnboardingStep] = [
///     CompositeStep(steps: SAPcpmsDefaultSteps.configuration), authentication,
///     CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload), CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringOnboard),
/// ]
/// ```
public enum SAPcpmsDefaultSteps {
    /// Sets the session up, before the authentication.
    public static var configuration: [any OnboardingStep] { [SAPcpmsSessionConfigurationStep()] }
    /// Asks the server for its settings, after the authentication.
    public static var settingsDownload: [any OnboardingStep] { [SAPcpmsSettingsDownloadStep()] }
    /// Applies the settings that were asked for just now.
    public static var applyDuringOnboard: [any OnboardingStep] { [SAPcpmsSettingsApplyStep()] }
    /// Applies the settings of this start, or those that were kept.
    public static var applyDuringRestore: [any OnboardingStep] { [SAPcpmsSettingsApplyStep()] }
}
