public import CountersignSAP

/// Onboards by OAuth 2.0: a user logs in once, and the tokens are kept for the next start.
///
/// ```swift
/// let steps: [any OnboardingStep] = [welcomeScreenStep, CompositeStep(steps: SAPcpmsDefaultSteps.configuration), OAuth2AuthenticationStep()]
/// ```
///
/// Addresses and client come from the configuration. Tokens are sent to its server alone. A configuration that came with a passcode
/// onboards without a login: the passcode is exchanged for tokens, and later logins are by authorization code.
public final class OAuth2AuthenticationStep: OnboardingStep {
    private let step: AuthenticationStep

    /// Makes the step.
    ///
    /// - Parameters:
    ///   - tokenStore: Keeps the tokens; `nil` keeps them in the context's store.
    ///   - webViewPresenter: Shows the pages; `nil` takes the presenter of the session.
    ///   - isAllowingOfflineRestore: Whether a later start succeeds while the server is unreachable, also if the token
    ///     has expired and cannot be renewed now.
    ///   - validationRequest: Makes the request that is challenged; `nil` gets the server's address itself.
    public init(
        tokenStore: (any OAuth2TokenStore)? = nil, webViewPresenter: (any WebPresenter)? = nil,
        isAllowingOfflineRestore: Bool = false, validationRequest: AuthenticationStep.RequestFactory? = nil
    ) {
        step = AuthenticationStep(
            name: "OAuth2AuthenticationStep", isAllowingOfflineRestore: isAllowingOfflineRestore,
            validationRequest: validationRequest,
            passcodeObserver: { context, passcode in
                let values = try context.configuration().values(grantType: "password", passcode: passcode)
                return OAuth2Observer(
                    passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values),
                    tokenStore: tokenStore ?? OAuth2TokenStorage(store: context.credentialStore),
                    webViewPresenter: webViewPresenter,
                    protectedURLs: try context.protectedOrigins())
            },
            observer: { context in
                OAuth2Observer(
                    authenticationParameters: try OAuth2AuthenticationParameters(configuration: context.configuration().values()),
                    tokenStore: tokenStore ?? OAuth2TokenStorage(store: context.credentialStore),
                    webViewPresenter: webViewPresenter,
                    protectedURLs: try context.protectedOrigins())
            })
    }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try await step.onboard(context: context) }
    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try await step.restore(context: context) }
    public func reset(context: OnboardingContext) async { await step.reset(context: context) }
}
