public import CountersignSAP
internal import Foundation

extension UserIdentityObserver {
    /// Makes an observer with a Certificate Discovery service, from a configuration: the discovery, its session and its OAuth 2.0 login
    /// are made, too.
    ///
    /// A configuration that cannot be used is an error of the requests that need a certificate, a `ConfigurationError` that names the key.
    ///
    /// - Parameters:
    ///   - certificateDiscoveryConfiguration: The dictionary, with keys that begin with `com.sap.mobilesecure.certificateService`.
    ///   - identityStore: Keeps the identity; `nil` for nowhere but in memory.
    ///   - webViewPresenter: Shows the login page; `nil` takes that of the session whose request needs the certificate.
    ///   - protectedURLs: The origins that may receive the identity; `nil` for the first that the application asks on a session.
    public convenience init(
        certificateDiscoveryConfiguration: [String: Any], identityStore: (any UserIdentityStoring)?,
        webViewPresenter: (any WebPresenter)? = nil, protectedURLs: ProtectedOrigins? = nil
    ) {
        self.init(
            userIdentityDiscovery: Self.discovery(certificateDiscoveryConfiguration, webViewPresenter),
            identityStore: identityStore, protectedURLs: protectedURLs)
    }

    /// Makes an observer with a Certificate Discovery service: the discovery, its session and its OAuth 2.0 login are made, too.
    ///
    /// - Parameters:
    ///   - userIdentityConfigurationParameters: The addresses of the service.
    ///   - oAuth2AuthenticationParameters: How the service's clients authenticate.
    ///   - identityStore: Keeps the identity; `nil` for nowhere but in memory.
    ///   - webViewPresenter: Shows the login page; `nil` takes that of the session whose request needs the certificate.
    ///   - protectedURLs: The origins that may receive the identity; `nil` for the first that the application asks on a session.
    public convenience init(
        userIdentityConfigurationParameters: SAPcpmsUserIdentityConfigurationParameters,
        oAuth2AuthenticationParameters: OAuth2AuthenticationParameters, identityStore: (any UserIdentityStoring)?,
        webViewPresenter: (any WebPresenter)? = nil, protectedURLs: ProtectedOrigins? = nil
    ) {
        self.init(
            userIdentityDiscovery: SAPcpmsUserIdentityDiscovery(
                certificateDiscoveryParameters: userIdentityConfigurationParameters,
                oAuth2AuthenticationParameters: oAuth2AuthenticationParameters, webViewPresenter: webViewPresenter),
            identityStore: identityStore, protectedURLs: protectedURLs)
    }

    /// Makes an observer with a Secure Login Server: the discovery and its session are made, too.
    ///
    /// - Parameters:
    ///   - slsConfigurationParameters: The addresses of the profile.
    ///   - loginInputDelegate: Asks the user; it is not kept alive.
    ///   - identityStore: Keeps the identity; `nil` for nowhere but in memory.
    ///   - protectedURLs: The origins that may receive the identity; `nil` for the first that the application asks on a session.
    public convenience init(
        slsConfigurationParameters: SLSConfigurationParameters, loginInputDelegate: any SLSLoginInputDelegate,
        identityStore: (any UserIdentityStoring)?, protectedURLs: ProtectedOrigins? = nil
    ) {
        self.init(
            userIdentityDiscovery: SLSUserIdentityDiscovery(
                slsConfigurationParameters: slsConfigurationParameters, userInputDelegate: loginInputDelegate),
            identityStore: identityStore, protectedURLs: protectedURLs)
    }

    private static func discovery(
        _ configuration: [String: Any], _ presenter: (any WebPresenter)?
    ) -> any UserIdentityObtaining {
        do {
            return SAPcpmsUserIdentityDiscovery(
                certificateDiscoveryParameters: try SAPcpmsUserIdentityConfigurationParameters(
                    discoveryServiceConfig: configuration),
                oAuth2AuthenticationParameters: try OAuth2AuthenticationParameters(
                    certificateDiscoveryConfiguration: configuration),
                webViewPresenter: presenter)
        } catch {
            return UnusableDiscovery(error)
        }
    }
}

/// Stands for a service whose configuration cannot be used.
private final class UnusableDiscovery: UserIdentityObtaining {
    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) { completionHandler(nil, error) }
}
