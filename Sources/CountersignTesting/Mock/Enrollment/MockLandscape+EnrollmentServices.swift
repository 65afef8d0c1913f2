extension MockLandscape {
    /// The services that give out certificates, as the options want them.
    ///
    /// - Throws: ``MockLandscapeError/noTokens``; what keeps an authority from being made.
    static func enrollmentServices(
        _ options: MockOptions, beside servers: [any MethodServer], faults: EnrollmentFaults, recorder: MockRecorder
    ) throws -> [any MockService] {
        guard options.certificateDiscovery != nil || options.secureLogin != nil else { return [] }
        let authority = try options.certificates?.authority ?? MockCertificateAuthority()
        var services: [any MockService] = []
        if let discovery = options.certificateDiscovery {
            guard let tokens = servers.lazy.compactMap({ $0 as? TokenServer }).first else { throw MockLandscapeError.noTokens }
            services.append(
                CertificateDiscoveryServer(
                    discovery, authority: discovery.authority ?? authority, server: tokens.routes.server, faults: faults,
                    recorder: recorder))
        }
        if let login = options.secureLogin {
            services.append(
                SecureLoginServer(
                    login, users: options.users, authority: login.authority ?? authority, faults: faults, recorder: recorder))
        }
        return services
    }
}
