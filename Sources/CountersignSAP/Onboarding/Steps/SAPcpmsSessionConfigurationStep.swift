internal import Foundation
internal import Synchronization

/// Adds the identifiers of application and device to the session's requests; see ``SAPcpmsObserver``.
///
/// The device's identifier is the `deviceID` of the configuration, or else the onboarding's identifier. Without an application's
/// identifier, no application is named.
public final class SAPcpmsSessionConfigurationStep: OnboardingStep {
    private let registered = Mutex<SAPcpmsObserver?>(nil)

    /// Creates the step.
    public init() {}

    public func onboard(context: OnboardingContext) async throws -> OnboardingContext { try configured(context) }

    public func restore(context: OnboardingContext) async throws -> OnboardingContext { try configured(context) }

    public func reset(context: OnboardingContext) async {
        if let observer = registered.withLock({ $0.take() }) { context.sapURLSession.unregister(observer) }
    }

    private func configured(_ context: OnboardingContext) throws -> OnboardingContext {
        guard let applicationID = context.info[.applicationID] as? String else { return context }
        let deviceID = try context.configuration().values().values["deviceID"] ?? context.onboardingID.uuidString
        let observer = SAPcpmsObserver(applicationID: applicationID, deviceID: deviceID, backendURL: try context.backendURL())
        let old = registered.withLock { registered in
            defer { registered = observer }
            return registered
        }
        if let old { context.sapURLSession.unregister(old) }
        context.sapURLSession.register(observer)
        return context
    }
}
