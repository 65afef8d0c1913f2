public import Foundation

/// Where a mock landscape's certificate discovery service is. All three addresses want an access token of the mock's OAuth 2.0 server.
public struct MockCertificateDiscovery: Sendable, Hashable {
    private let baseURL: URL

    init(baseURL: URL) { self.baseURL = baseURL }

    static let path = "/product-api.svc/UserCertificates/"

    /// Says by GET what a certificate of the user has to look like.
    public var attributesEndpoint: URL { endpoint("getUserCertificateAttributes") }
    /// Takes a certificate request by POST and answers with the certificate.
    public var requestEndpoint: URL { endpoint("requestUserCertificate") }
    /// Takes a serial number by POST, and the certificate is good no more.
    public var retireEndpoint: URL { endpoint("retireUserCertificate") }

    private func endpoint(_ name: String) -> URL { baseURL.appending(path: Self.path + name) }
}
