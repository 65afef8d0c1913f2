internal import CountersignSAP
internal import Foundation

extension OnboardingContext {
    /// The origin of the server that the configuration names: the one that may receive the credentials of an onboarding.
    ///
    /// - Throws: `OnboardingStepError` without a configuration; `CountersignError` if its server names no origin.
    func protectedOrigins() throws -> ProtectedOrigins {
        let servers = [try backendURL()]
        return try ProtectedOrigins(servers)
    }
}
