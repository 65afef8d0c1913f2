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
