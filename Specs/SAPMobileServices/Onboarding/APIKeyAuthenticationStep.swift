public import CountersignSAP

/// Onboards with an API key, or anonymously where the application allows it: no one is asked for anything.
///
/// The key is sent to the configured server alone. It comes with the application every time and is not kept.
public final class APIKeyAuthenticationStep: OnboardingStep {
    private let step: AuthenticationStep

    /// Makes the step.
    ///
    /// - Parameters:
    ///   - config: The keys. Without them the step fails with ``APIKeyAuthenticationError/missingAPIKeyCredential`` at the first challenge.
    ///   - isAllowingOfflineRestore: Whether a later start succeeds while the server is unreachable. By default it does, since no server
    ///     is needed for a key.
    ///   - validationRequest: Makes the request that is challenged; `nil` gets the server's address itself.
    public init(
        config: APIKeyAuthenticationConfig?, isAllowingOfflineRestore: Bool = true,
        validationRequest: AuthenticationStep.RequestFactory? = nil
    ) {
        step = AuthenticationStep(
            name: "APIKeyAuthenticationStep", isAllowingOfflineRestore: isAllowingOfflineRestore,
            validationRequest: validationRequest
        ) { context in
            APIKeyAuthenticationObserver(
                apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: config),
                isAPIKeyAccessOnly: config?.isAPIKeyAccessOnly ?? false, protectedURLs: try context.protectedOrigins())
        }
    }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try await step.onboard(context: context) }
    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try await step.restore(context: context) }
    public func reset(context: OnboardingContext) async { await step.reset(context: context) }
}
