public import Foundation

/// Where a mock landscape's Secure Login Server is. It wants no token: a login at its pages is the proof of who asks.
public struct MockSecureLogin: Sendable, Hashable {
    static let loginPath = "/SecureLoginServer/login/"
    static let certificatePath = "/SecureLoginServer/certificate/"

    /// The server's address.
    public let baseURL: URL
    /// The profile that it has.
    public let profile: String

    /// The pages of the login.
    public var loginEndpoint: URL { baseURL.appending(path: Self.loginPath + profile) }
    /// Takes a ticket of a login and a certificate request, and answers with the certificate.
    public var certificateEndpoint: URL { baseURL.appending(path: Self.certificatePath + profile) }
}
