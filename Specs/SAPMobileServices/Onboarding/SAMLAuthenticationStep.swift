public import CountersignSAP

/// Onboards by SAML 2.0: a user logs in on a web page, whose session cookies authenticate what follows.
///
/// Nothing is kept: the next start logs in again, unless the session's cookie storage or the identity provider remembers the user.
public final class SAMLAuthenticationStep: OnboardingStep {
    private let step: AuthenticationStep

    /// Makes the step.
    ///
    /// - Parameters:
    ///   - webViewPresenter: Shows the pages; `nil` takes the presenter of the session.
    ///   - isAllowingOfflineRestore: Whether a later start succeeds while the server is unreachable.
    ///   - validationRequest: Makes the request that is challenged; `nil` gets the server's address itself.
    public init(
        webViewPresenter: (any WebPresenter)? = nil, isAllowingOfflineRestore: Bool = false,
        validationRequest: AuthenticationStep.RequestFactory? = nil
    ) {
        step = AuthenticationStep(
            name: "SAMLAuthenticationStep", isAllowingOfflineRestore: isAllowingOfflineRestore,
            validationRequest: validationRequest
        ) { context in
            SAMLObserver(
                authenticationParameters: try SAMLAuthenticationParameters(configuration: context.configuration().values()),
                webViewPresenter: webViewPresenter)
        }
    }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try await step.onboard(context: context) }
    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try await step.restore(context: context) }
    public func reset(context: OnboardingContext) async { await step.reset(context: context) }
}
