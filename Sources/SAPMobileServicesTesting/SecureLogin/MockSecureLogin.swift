public import Foundation

/// The endpoints of a mock landscape's Secure Login Server. It requires no token, since its login pages authenticate the user.
public struct MockSecureLogin: Sendable, Hashable {
    static let loginPath = "/SecureLoginServer/slc3/doLogin"
    static let certificatePath = "/SecureLoginServer/slc2/getCertificate"

    /// The server's URL.
    public let baseURL: URL
    /// The name of its profile.
    public let profile: String

    /// The login pages.
    public var loginEndpoint: URL { endpoint(Self.loginPath) }
    /// The endpoint of certificate requests after a login, whose response is the certificate and its issuer in PKCS #7.
    public var certificateEndpoint: URL { endpoint(Self.certificatePath) }

    private func endpoint(_ path: String) -> URL {
        baseURL.appending(path: path).appending(queryItems: [URLQueryItem(name: "profile", value: profile)])
    }
}

/// The counts of a mock landscape's Secure Login Server.
public struct MockSecureLoginStatistics: Sendable, Hashable {
    /// Requests for login pages, including those with values.
    public var loginRequests = 0
    /// Logins that were started.
    public var begun = 0
    /// Wrong values.
    public var wrongValues = 0
    /// Values for an unknown or expired login.
    public var unknownSalts = 0
    /// Completed logins, each with a ticket.
    public var logins = 0
    /// Requests for a certificate.
    public var certificateRequests = 0
    /// Tickets that were wrong, already used, or expired.
    public var badTickets = 0
    /// The serial numbers of issued certificates, in order: lowercase hexadecimal, two digits per byte.
    public var issued: [String] = []

    /// Creates statistics with zero counts.
    public init() {}
}
