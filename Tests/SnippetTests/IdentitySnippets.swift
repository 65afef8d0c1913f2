import Foundation
import SAPMobileServices

// snippet: identity
func register(archive: URL, passphrase: String, keptIn store: any CodableStoring, on session: SAPURLSession) throws {
    let discovery = try PKCS12UserIdentityDiscovery(file: archive, passphrase: passphrase)
    let storage = UserIdentityStorage(store: store)
    session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: storage))
}
// end
