/// A key of a value that a flow's steps pass on in ``OnboardingContext/info``.
public struct OnboardingInfoKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a key of an application.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The ``DiscoveryConfiguration``.
    public static let configuration = OnboardingInfoKey(rawValue: "configuration")
    /// The server's URL (`URL`).
    public static let backendURL = OnboardingInfoKey(rawValue: "backendURL")
    /// The application's identifier at the server (`String`).
    public static let applicationID = OnboardingInfoKey(rawValue: "applicationID")
    /// The ``ClientSettings`` of the server for the application.
    public static let clientSettings = OnboardingInfoKey(rawValue: "clientSettings")
}

/// The keys of the onboarding's values in the application's store.
enum OnboardingKey {
    static let prefix = "com.sap.onboarding."
    static let configuration = prefix + "configuration"
    static let record = prefix + "record"
    static let settings = prefix + "settings"
}
