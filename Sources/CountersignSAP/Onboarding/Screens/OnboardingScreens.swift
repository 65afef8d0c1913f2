public import Foundation

/// What the user sees of an onboarding: an application brings its own, command lines have ``TerminalOnboardingScreens``.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OnboardingScreens: Sendable {
    /// Makes the screen that asks for a configuration.
    func makeWelcomeScreen() -> any WelcomeScreen

    /// A configuration was found; its server is about to be asked.
    ///
    /// A QR code or a link can come from any source, so this is where the user sees which server it names. The default lets every
    /// server pass.
    ///
    /// - Throws: What ends the flow here, `CancellationError` if the user does not go on.
    func willConnect(to server: URL, from providerIdentifier: String) async throws

    /// Shows the other origins that the configuration has credentials sent to, and asks the user to confirm them.
    ///
    /// Called after ``willConnect(to:from:)``, only if there are any, and before anything is sent or stored. A configuration that shows the
    /// name of a genuine server can still have codes, passcodes and passwords sent elsewhere. The default refuses.
    ///
    /// - Parameters:
    ///   - origins: The origins other than the server's, with the keys of the configuration that name them.
    ///   - server: The server that the user was shown; `nil` if the configuration names none.
    ///   - providerIdentifier: The identifier of the provider that the configuration comes from.
    /// - Returns: Whether the user has confirmed all of them. `false` ends the flow with
    ///   ``OnboardingStepError/originsNotConfirmed(_:server:source:)``.
    /// - Throws: What ends the flow here, `CancellationError` if the user cancels the onboarding.
    func confirmOrigins(
        _ origins: [CredentialOrigin], besides server: URL?, from providerIdentifier: String
    ) async throws -> Bool
}

extension OnboardingScreens {
    public func willConnect(to server: URL, from providerIdentifier: String) async throws {}

    public func confirmOrigins(
        _ origins: [CredentialOrigin], besides server: URL?, from providerIdentifier: String
    ) async throws -> Bool {
        false
    }
}
