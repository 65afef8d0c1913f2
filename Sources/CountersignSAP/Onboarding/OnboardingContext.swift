public import Foundation

/// The context of a flow's steps. Each step receives the context that the previous one returned.
public struct OnboardingContext: Sendable {
    /// The identifier of the onboarding. A resumed or restored flow has that of the first run.
    public internal(set) var onboardingID: UUID
    /// The session. Authentication steps register their observers on it.
    public var sapURLSession: SAPURLSession
    /// The persistent store of the steps. It contains credentials, so use an encrypted one.
    public var credentialStore: any CodableStoring
    /// The screens for the user; `nil` without a user.
    public var screens: (any OnboardingScreens)?
    /// The unused passcode of the configuration.
    public var passcode: OnboardingPasscode?
    /// The results of steps, by key.
    public var info: [OnboardingInfoKey: any Sendable] = [:]

    /// Creates the context of a flow's first step.
    public init(
        sapURLSession: SAPURLSession = SAPURLSession(), credentialStore: any CodableStoring,
        screens: (any OnboardingScreens)? = nil, onboardingID: UUID = UUID()
    ) {
        self.sapURLSession = sapURLSession
        self.credentialStore = credentialStore
        self.screens = screens
        self.onboardingID = onboardingID
    }

    /// Returns the configuration that the welcome screen's step found.
    ///
    /// - Throws: ``OnboardingStepError/noConfiguration``.
    public func configuration() throws(OnboardingStepError) -> DiscoveryConfiguration {
        guard let configuration = info[.configuration] as? DiscoveryConfiguration else { throw .noConfiguration }
        return configuration
    }

    /// Returns the server's URL.
    ///
    /// - Throws: ``OnboardingStepError/noConfiguration``.
    public func backendURL() throws(OnboardingStepError) -> URL {
        guard let url = info[.backendURL] as? URL else { throw .noConfiguration }
        return url
    }
}

extension OnboardingContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the keys of ``info``. Values are not shown.
    public var description: String {
        "OnboardingContext(\(onboardingID), knows: \(info.keys.map(\.rawValue).sorted().joined(separator: " ")), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["onboardingID": onboardingID], displayStyle: .struct) }
}
