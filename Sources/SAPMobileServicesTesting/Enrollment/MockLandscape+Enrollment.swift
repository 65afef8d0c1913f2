internal import Countersign
public import CountersignTesting
public import Foundation

extension MockLandscape {
    /// The Certificate Discovery service; `nil` if the options have none.
    public var certificateDiscovery: MockCertificateDiscovery? {
        service(EnrollmentServices.self)?.certificateDiscovery.map { _ in MockCertificateDiscovery(baseURL: baseURL) }
    }

    /// The Secure Login Server; `nil` if the options have none.
    public var secureLogin: MockSecureLogin? {
        service(EnrollmentServices.self)?.secureLogin.map { MockSecureLogin(baseURL: baseURL, profile: $0.options.profile) }
    }

    /// The request counts of the Certificate Discovery service since the start or the last reset.
    public var certificateDiscoveryStatistics: MockCertificateDiscoveryStatistics {
        service(EnrollmentServices.self)?.certificateDiscovery?.recorder.current ?? MockCertificateDiscoveryStatistics()
    }

    /// The request counts of the Secure Login Server since the start or the last reset.
    public var secureLoginStatistics: MockSecureLoginStatistics {
        service(EnrollmentServices.self)?.secureLogin?.recorder.current ?? MockSecureLoginStatistics()
    }

    /// Returns the application's configuration for the Certificate Discovery service: the endpoints, the pin of the server's key if
    /// the mock uses TLS, and the client for its OAuth 2.0 server.
    ///
    /// - Returns: JSON; `nil` if there is no such service, or no client with the authorization code grant.
    public func makeCertificateDiscoveryConfiguration() -> Data? {
        guard let discovery = certificateDiscovery, let server = authorizationServer,
            let client = server.options.clients.first(where: { $0.grants.contains(.authorizationCode) })
        else { return nil }
        let name = "com.sap.mobilesecure.certificateService."
        let configuration: [String: Any] = [
            name + "attributesEndpoint": discovery.attributesEndpoint.absoluteString,
            name + "requestEndpoint": discovery.requestEndpoint.absoluteString,
            name + "retireEndpoint": discovery.retireEndpoint.absoluteString,
            name + "publicKeyPinSet": publicKeyPin.map { [$0.description] } ?? [],
            name + "authType": [
                "type": "oauth", "authorizationEndpoint": baseURL.absoluteString + server.options.paths.authorize,
                "tokenEndpoint": baseURL.absoluteString + server.options.paths.token, "client_id": client.id,
                "redirect_uri": client.redirectURIs.first ?? "",
            ],
        ]
        return try? JSONSerialization.data(withJSONObject: configuration, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Injects a fault into the next requests to services that issue certificates.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - endpoint: The endpoint; `nil` for all.
    ///   - times: The number of faulty responses; `.max` for all.
    public func inject(enrollmentFault fault: MockEnrollmentFault, at endpoint: MockEnrollmentEndpoint? = nil, times: Int = 1) {
        service(EnrollmentServices.self)?.faults.add(fault, at: endpoint, times: times)
    }

    /// Advances the time of the Secure Login Server, so that logins and tickets expire.
    public func advanceSecureLogin(by duration: Duration) {
        service(EnrollmentServices.self)?.secureLogin?.ledger.advance(by: duration)
    }
}
