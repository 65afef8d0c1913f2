public import CountersignTesting

extension MockOptions {
    /// The certificate discovery service; `nil` for none. The landscape needs a method that gets tokens, and over TLS a client without a
    /// certificate is let in only with `MockCertificateOptions.Demand.page`.
    public var certificateDiscovery: MockCertificateDiscoveryOptions? {
        get { self[EnrollmentOptions.self]?.certificateDiscovery }
        set {
            var options = self[EnrollmentOptions.self] ?? EnrollmentOptions()
            options.certificateDiscovery = newValue
            self[EnrollmentOptions.self] = options
        }
    }

    /// The Secure Login Server; `nil` for none. Over TLS the same holds as for `certificateDiscovery`.
    public var secureLogin: MockSecureLoginOptions? {
        get { self[EnrollmentOptions.self]?.secureLogin }
        set {
            var options = self[EnrollmentOptions.self] ?? EnrollmentOptions()
            options.secureLogin = newValue
            self[EnrollmentOptions.self] = options
        }
    }
}
