public import CountersignTesting

extension MockOptions {
    /// The Certificate Discovery service; `nil` for none. The landscape needs a method with tokens. With TLS, a client without a
    /// certificate needs `MockCertificateOptions.Demand.page`.
    public var certificateDiscovery: MockCertificateDiscoveryOptions? {
        get { self[EnrollmentOptions.self]?.certificateDiscovery }
        set {
            var options = self[EnrollmentOptions.self] ?? EnrollmentOptions()
            options.certificateDiscovery = newValue
            self[EnrollmentOptions.self] = options
        }
    }

    /// The Secure Login Server; `nil` for none. With TLS, the rules of `certificateDiscovery` apply.
    public var secureLogin: MockSecureLoginOptions? {
        get { self[EnrollmentOptions.self]?.secureLogin }
        set {
            var options = self[EnrollmentOptions.self] ?? EnrollmentOptions()
            options.secureLogin = newValue
            self[EnrollmentOptions.self] = options
        }
    }
}
