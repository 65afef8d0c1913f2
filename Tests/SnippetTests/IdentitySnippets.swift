import Foundation
import SAPMobileServices

// snippet: identity
func register(
    archive: URL, passphrase: String, keptIn store: any CodableStoring,
    on session: SAPURLSession
) throws {
    let discovery = try PKCS12UserIdentityDiscovery(
        file: archive, passphrase: passphrase)
    session.register(
        UserIdentityObserver(
            userIdentityDiscovery: discovery,
            identityStore: UserIdentityStorage(store: store)))
}
// end

// snippet: certificate-discovery
func register(
    certificateDiscoveryConfiguration configuration: [String: Any],
    keptIn store: any CodableStoring, on session: SAPURLSession
) {
    session.register(
        UserIdentityObserver(
            certificateDiscoveryConfiguration: configuration,
            identityStore: UserIdentityStorage(store: store)))
}
// end

// snippet: secure-login
func register(
    server: URL, profile: String, delegate: any SLSLoginInputDelegate,
    keptIn store: any CodableStoring, on session: SAPURLSession
) {
    let parameters = SLSConfigurationParameters(
        slsServerURL: server, profile: profile)
    guard let parameters else { return }
    session.register(
        UserIdentityObserver(
            slsConfigurationParameters: parameters,
            loginInputDelegate: delegate,
            identityStore: UserIdentityStorage(store: store)))
}
// end
