// The earlier code of the guide "Coming from the SAP SDK", checked against the declarations of `SDKStubs.swift`.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SDKStubs {
    // snippet: before
    final class Orders {
        private let backend: URL
        private let session = SAPURLSession()

        init(backend: URL, redirectURL: URL, store: any CodableStoring) {
            self.backend = backend
            let parameters = OAuth2AuthenticationParameters(
                authorizationEndpointURL: backend.appendingPathComponent(
                    "oauth2/api/v1/authorize"),
                clientID: "orders", redirectURL: redirectURL,
                tokenEndpointURL: backend.appendingPathComponent(
                    "oauth2/api/v1/token"))
            let authenticator = OAuth2Authenticator(
                authenticationParameters: parameters,
                webViewPresenter: WKWebViewPresenter())
            session.register(
                OAuth2Observer(
                    authenticator: authenticator,
                    tokenStore: OAuth2TokenStorage(store: store)))
            session.register(
                OTPObserver(
                    settingsParameters: SAPcpmsSettingsParameters(
                        backendURL: backend,
                        applicationID: "com.example.orders")))
        }

        func orders(completion: @escaping (Data?, (any Error)?) -> Void) {
            let url = backend.appendingPathComponent("orders")
            session.dataTask(with: URLRequest(url: url)) { data, _, error in
                completion(data, error)
            }.resume()
        }

        func logOut(completion: @escaping ((any Error)?) -> Void) {
            var request = URLRequest(
                url: backend.appendingPathComponent(
                    "mobileservices/sessions/logout"))
            request.httpMethod = "POST"
            session.dataTask(with: request) { _, _, error in
                completion(error)
            }.resume()
        }
    }
    // end
}
