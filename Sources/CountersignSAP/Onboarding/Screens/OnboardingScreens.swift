public import Foundation

/// What a person sees of an onboarding: an application brings its own, command lines have ``TerminalOnboardingScreens``.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OnboardingScreens: Sendable {
    /// Makes the screen that asks for a configuration.
    func makeWelcomeScreen() -> any WelcomeScreen

    /// A configuration was found; its server is about to be asked.
    ///
    /// Anybody can make a QR code or a link, so this is where a person sees which server it names. The default lets every server pass.
    ///
    /// - Throws: What ends the flow here, `CancellationError` if the person does not go on.
    func willConnect(to server: URL, from providerIdentifier: String) async throws
}

extension OnboardingScreens {
    public func willConnect(to server: URL, from providerIdentifier: String) async throws {}
}
