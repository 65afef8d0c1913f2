public import CountersignSAP
internal import Foundation

extension SAPcpmsUserIdentityDiscovery {
    /// Makes a discovery with a session of its own, which logs the user in by OAuth 2.0.
    ///
    /// - Parameters:
    ///   - certificateDiscoveryParameters: The addresses of the service.
    ///   - oAuth2AuthenticationParameters: How the service's clients authenticate. Tokens are kept in memory: they serve to obtain a
    ///     certificate, which lasts.
    ///   - webViewPresenter: Shows the login page; `nil` takes that of the session whose request needs the certificate.
    public convenience init(
        certificateDiscoveryParameters: SAPcpmsUserIdentityConfigurationParameters,
        oAuth2AuthenticationParameters: OAuth2AuthenticationParameters, webViewPresenter: (any WebPresenter)? = nil
    ) {
        let session = SAPURLSession()
        session.sessionDescription = "Certificate discovery"
        session.register(
            OAuth2Observer(
                authenticationParameters: oAuth2AuthenticationParameters, tokenStore: MemoryTokenStore(),
                webViewPresenter: webViewPresenter, protectedURLs: certificateDiscoveryParameters.origins))
        self.init(certificateDiscoveryParameters: certificateDiscoveryParameters, sapURLSession: session)
    }
}

extension SAPcpmsUserIdentityConfigurationParameters {
    /// The origins of the service, which may receive the token. An endpoint that has none is an error when it is asked.
    fileprivate var origins: ProtectedOrigins {
        let endpoints = [attributesEndpoint, requestEndpoint, retireEndpoint]
        return ProtectedOrigins(origins: Set(endpoints.compactMap { Origin($0) }))
    }
}
