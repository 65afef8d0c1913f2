public import Foundation

/// Where a mock landscape's Secure Login Server is. It wants no token: a login at its pages authenticates the user.
public struct MockSecureLogin: Sendable, Hashable {
    static let loginPath = "/SecureLoginServer/slc3/doLogin"
    static let certificatePath = "/SecureLoginServer/slc2/getCertificate"

    /// The server's address.
    public let baseURL: URL
    /// The profile that it has.
    public let profile: String

    /// The pages of the login.
    public var loginEndpoint: URL { endpoint(Self.loginPath) }
    /// Takes a certificate request of a session that has logged in, and answers with the certificate and its issuer in PKCS #7.
    public var certificateEndpoint: URL { endpoint(Self.certificatePath) }

    private func endpoint(_ path: String) -> URL {
        baseURL.appending(path: path).appending(queryItems: [URLQueryItem(name: "profile", value: profile)])
    }
}

/// What a mock landscape has counted about its Secure Login Server.
public struct MockSecureLoginStatistics: Sendable, Hashable {
    /// Requests for pages of logins, those with values included.
    public var loginRequests = 0
    /// Logins that were begun.
    public var begun = 0
    /// Values that were not right.
    public var wrongValues = 0
    /// Values for a login that there is not, or not any more.
    public var unknownSalts = 0
    /// Logins that came to their end, each with a ticket.
    public var logins = 0
    /// Requests for a certificate.
    public var certificateRequests = 0
    /// Tickets that were wrong, used before, or too old.
    public var badTickets = 0
    /// The serial numbers of certificates that were given out, in order: lower case hexadecimal digits, two for each byte.
    public var issued: [String] = []

    /// Nothing counted.
    public init() {}
}
