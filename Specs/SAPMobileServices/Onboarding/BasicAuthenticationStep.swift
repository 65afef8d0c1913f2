public import CountersignSAP

/// Onboards by a user name and a password (RFC 7617).
///
/// What the server has accepted is kept in the context's store for the next start, and is sent to the configured server alone.
public final class BasicAuthenticationStep: OnboardingStep {
    private let step: AuthenticationStep
    private let credentialStore: (any BasicCredentialStoring)?

    /// Makes the step.
    ///
    /// - Parameters:
    ///   - basicCredentialDiscovery: Asks for the credential.
    ///   - credentialStore: Keeps the credential; `nil` keeps it in the context's store.
    ///   - isAllowingOfflineRestore: Whether a later start succeeds while the server is unreachable.
    ///   - validationRequest: Makes the request that is challenged; `nil` gets the server's address itself.
    public init(
        basicCredentialDiscovery: any BasicCredentialDiscovery = DefaultBasicCredentialDiscovery(),
        credentialStore: (any BasicCredentialStoring)? = nil, isAllowingOfflineRestore: Bool = false,
        validationRequest: AuthenticationStep.RequestFactory? = nil
    ) {
        self.credentialStore = credentialStore
        step = AuthenticationStep(
            name: "BasicAuthenticationStep", isAllowingOfflineRestore: isAllowingOfflineRestore,
            validationRequest: validationRequest
        ) { context in
            BasicAuthenticationObserver(
                basicCredentialDiscovery: basicCredentialDiscovery,
                credentialStore: credentialStore ?? BasicCredentialStorage(store: context.credentialStore),
                protectedURLs: try context.protectedOrigins())
        }
    }

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try await step.onboard(context: context) }
    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try await step.restore(context: context) }
    public func reset(context: OnboardingContext) async {
        await step.reset(context: context)
        // What was stored in another process, for a realm that nothing has named since. A store of the application's own is its own.
        if credentialStore == nil { BasicCredentialStorage(store: context.credentialStore).clear() }
    }
}
