public import Foundation

/// What the steps of a flow work with and hand on: each gets what the one before returned.
public struct OnboardingContext: Sendable {
    /// Tells one onboarding from another; a flow that is resumed or restored has that of the first run.
    public internal(set) var onboardingID: UUID
    /// The session that the steps set up: authentication steps register their observers on it.
    public var sapURLSession: SAPURLSession
    /// Keeps what has to be there the next time; it holds credentials, so one that encrypts.
    public var credentialStore: any CodableStoring
    /// What the user sees; `nil` where there is no user.
    public var screens: (any OnboardingScreens)?
    /// A passcode that came with the configuration and was not used yet.
    public var passcode: OnboardingPasscode?
    /// What steps have found out, by key.
    public var info: [OnboardingInfoKey: any Sendable] = [:]

    /// Makes the context of a flow's first step.
    public init(
        sapURLSession: SAPURLSession = SAPURLSession(), credentialStore: any CodableStoring,
        screens: (any OnboardingScreens)? = nil, onboardingID: UUID = UUID()
    ) {
        self.sapURLSession = sapURLSession
        self.credentialStore = credentialStore
        self.screens = screens
        self.onboardingID = onboardingID
    }

    /// The configuration that the welcome screen's step found.
    ///
    /// - Throws: ``OnboardingStepError/noConfiguration``.
    public func configuration() throws(OnboardingStepError) -> DiscoveryConfiguration {
        guard let configuration = info[.configuration] as? DiscoveryConfiguration else { throw .noConfiguration }
        return configuration
    }

    /// The server's address.
    ///
    /// - Throws: ``OnboardingStepError/noConfiguration``.
    public func backendURL() throws(OnboardingStepError) -> URL {
        guard let url = info[.backendURL] as? URL else { throw .noConfiguration }
        return url
    }
}

extension OnboardingContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the keys of what is known; no value is shown.
    public var description: String {
        "OnboardingContext(\(onboardingID), knows: \(info.keys.map(\.rawValue).sorted().joined(separator: " ")), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["onboardingID": onboardingID], displayStyle: .struct) }
}
