public import Foundation

/// The screens of an onboarding: an application's own, or ``TerminalOnboardingScreens`` for command lines.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol OnboardingScreens: Sendable {
    /// Returns the screen that asks for a configuration.
    func makeWelcomeScreen() -> any WelcomeScreen

    /// Called when a configuration was found, before the first request to its server.
    ///
    /// A QR code or a link can come from any source, so show the user the server. The default implementation accepts every server.
    ///
    /// - Throws: An error that ends the flow, such as `CancellationError` if the user cancels.
    func willConnect(to server: URL, from providerIdentifier: String) async throws

    /// Shows the other origins to which the configuration sends credentials, and asks the user to confirm them.
    ///
    /// Called after ``willConnect(to:from:)``, only if there are such origins, and before anything is sent or stored. A
    /// configuration with the name of a genuine server can still send codes, passcodes and passwords elsewhere. The default
    /// implementation refuses.
    ///
    /// - Parameters:
    ///   - origins: The origins other than the server's, with the keys of the configuration that name them.
    ///   - server: The server that was shown to the user; `nil` if the configuration names none.
    ///   - providerIdentifier: The identifier of the provider that the configuration comes from.
    /// - Returns: Whether the user has confirmed all of them. `false` ends the flow with
    ///   ``OnboardingStepError/originsNotConfirmed(_:server:source:)``.
    /// - Throws: An error that ends the flow, such as `CancellationError` if the user cancels.
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
