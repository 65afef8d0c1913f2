// The declarations of the SAP BTP SDK for iOS that the guide "Coming from the SAP SDK" uses, so that its earlier code is
// type-checked without the SDK. Written from SAP's public documentation of the framework SAPFoundation, and without effect when
// called. They are in a type, because the module SAPMobileServices has the same names.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands for the framework.
enum SDKStubs {
    /// A session on which observers are registered.
    class SAPURLSession {
        func register(_ observer: any SAPURLSessionObserving) {}
        func dataTask(
            with request: URLRequest, completionHandler: @escaping (Data?, URLResponse?, (any Error)?) -> Void
        ) -> SAPURLSessionTask { SAPURLSessionTask() }
    }

    /// A request.
    class SAPURLSessionTask {
        func resume() {}
    }

    /// An observer of a session.
    protocol SAPURLSessionObserving: AnyObject {}

    /// A landscape's settings.
    struct SAPcpmsSettingsParameters {
        init(backendURL: URL, applicationID: String) {}
    }

    /// The parameters of a login with OAuth 2.0.
    struct OAuth2AuthenticationParameters {
        init(
            authorizationEndpointURL: URL, clientID: String, redirectURL: URL, tokenEndpointURL: URL,
            requestingScopes: Set<String> = []
        ) {}
    }

    /// A presenter in an application's own view.
    class WKWebViewPresenter {}

    /// Logs in with OAuth 2.0.
    class OAuth2Authenticator {
        init(
            authenticationParameters: OAuth2AuthenticationParameters, sapURLSession: SAPURLSession? = nil,
            webViewPresenter: WKWebViewPresenter
        ) {}
    }

    /// A store of values.
    protocol CodableStoring: AnyObject {}

    /// Tokens in a store.
    class OAuth2TokenStorage {
        init(store: any CodableStoring) {}
    }

    /// Answers challenges by OAuth 2.0.
    class OAuth2Observer: SAPURLSessionObserving {
        init(authenticator: OAuth2Authenticator, tokenStore: OAuth2TokenStorage) {}
    }

    /// Answers challenges for one-time passcodes.
    class OTPObserver: SAPURLSessionObserving {
        init(settingsParameters: SAPcpmsSettingsParameters) {}
    }
}
