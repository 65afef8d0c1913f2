/// The ways to a configuration that a welcome screen can offer.
public struct WelcomeScreenOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A QR code is read.
    public static let barcodeScanner = WelcomeScreenOptions(rawValue: 1 << 0)
    /// The user's address or a code is given, and SAP's discovery service asked.
    public static let discoveryService = WelcomeScreenOptions(rawValue: 1 << 1)
    /// Text or a link is pasted.
    public static let text = WelcomeScreenOptions(rawValue: 1 << 2)
}
