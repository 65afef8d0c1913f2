/// Applies the server's settings: those of this run, or the stored ones.
public final class SAPcpmsSettingsApplyStep: OnboardingStep {
    /// Applies settings.
    public typealias Handler = @Sendable (ClientSettings, OnboardingContext) async throws -> Void

    private let handler: Handler

    /// Creates the step.
    ///
    /// - Parameter handler: Applies settings. The default handler does nothing; the settings are in the context.
    @preconcurrency public init(handler: @escaping Handler = { _, _ in }) { self.handler = handler }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try await applied(context) }

    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try await applied(context) }

    private func applied(_ context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        let known = context.info[.clientSettings] as? ClientSettings
        guard let settings = try known ?? context.credentialStore.get(ClientSettings.self, for: OnboardingKey.settings) else {
            return context
        }
        context.info[.clientSettings] = settings
        try await handler(settings, context)
        return context
    }
}
