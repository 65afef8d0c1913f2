/// Names something that the steps of a flow hand on to each other in ``OnboardingContext/info``.
public struct OnboardingInfoKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Makes a key of an application's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The ``DiscoveryConfiguration``.
    public static let configuration = OnboardingInfoKey(rawValue: "configuration")
    /// The server's address, a `URL`.
    public static let backendURL = OnboardingInfoKey(rawValue: "backendURL")
    /// The application's identifier at the server, a `String`.
    public static let applicationID = OnboardingInfoKey(rawValue: "applicationID")
    /// The ``ClientSettings`` that the server has for the application.
    public static let clientSettings = OnboardingInfoKey(rawValue: "clientSettings")
}

/// Under which keys onboarding keeps things in the application's store.
enum OnboardingKey {
    static let prefix = "com.sap.onboarding."
    static let configuration = prefix + "configuration"
    static let record = prefix + "record"
    static let settings = prefix + "settings"
}
