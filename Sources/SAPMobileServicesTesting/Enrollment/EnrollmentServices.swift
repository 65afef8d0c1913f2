internal import CountersignTesting

/// The options of the services that issue certificates.
struct EnrollmentOptions: MockServiceOptions {
    /// The Certificate Discovery service; `nil` for none.
    var certificateDiscovery: MockCertificateDiscoveryOptions?
    /// The Secure Login Server; `nil` for none.
    var secureLogin: MockSecureLoginOptions?

    /// - Throws: `MockLandscapeError.noTokens`; an error if an authority cannot be created.
    func makeService(in context: MockServiceContext) throws -> (any MockService)? {
        guard certificateDiscovery != nil || secureLogin != nil else { return nil }
        let authority = try context.options.certificates?.authority ?? MockCertificateAuthority()
        let faults = EnrollmentFaults()
        let discoveryServer = try certificateDiscovery.map { (options) throws -> CertificateDiscoveryServer in
            guard let tokens = context.methods.authorization else { throw MockLandscapeError.noTokens }
            return CertificateDiscoveryServer(
                options, authority: options.authority ?? authority, server: tokens.server, faults: faults)
        }
        let loginServer = secureLogin.map { options in
            SecureLoginServer(
                options, users: context.options.users, authority: options.authority ?? authority, faults: faults)
        }
        return EnrollmentServices(certificateDiscovery: discoveryServer, secureLogin: loginServer, faults: faults)
    }
}

/// The services that issue certificates, with their faults.
struct EnrollmentServices: MockService {
    /// The Certificate Discovery service, if the options have it.
    let certificateDiscovery: CertificateDiscoveryServer?
    /// The Secure Login Server, if the options have it.
    let secureLogin: SecureLoginServer?
    /// The remaining faults of both services.
    let faults: EnrollmentFaults

    func serviceProviderPage(for request: MockRequest) -> MockResponse? {
        certificateDiscovery?.respond(to: request) ?? secureLogin?.respond(to: request)
    }

    func resetStatistics() {
        certificateDiscovery?.recorder.reset()
        secureLogin?.recorder.reset()
    }

    func removeFaults() { faults.removeAll() }
}
