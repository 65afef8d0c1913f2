// The declarations of the SAP BTP SDK for iOS that the guide "Coming from the SAP SDK" uses, so that its code from before is type-checked
// where the SDK is not. Written from SAP's public documentation of the framework SAPFoundation; nothing happens when one is called. They are
// within a type, since the module SAPMobileServices has the same names.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What stands for the framework.
enum SDKStubs {
    /// A session that observers are registered on.
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

    /// What is registered.
    protocol SAPURLSessionObserving: AnyObject {}

    /// A landscape's settings.
    struct SAPcpmsSettingsParameters {
        init(backendURL: URL, applicationID: String) {}
    }

    /// What a login with OAuth 2.0 needs to know.
    struct OAuth2AuthenticationParameters {
        init(
            authorizationEndpointURL: URL, clientID: String, redirectURL: URL, tokenEndpointURL: URL,
            requestingScopes: Set<String> = []
        ) {}
    }

    /// A presenter in a view of the application's own.
    class WKWebViewPresenter {}

    /// Logs in with OAuth 2.0.
    class OAuth2Authenticator {
        init(
            authenticationParameters: OAuth2AuthenticationParameters, sapURLSession: SAPURLSession? = nil,
            webViewPresenter: WKWebViewPresenter
        ) {}
    }

    /// Where things are kept.
    protocol CodableStoring: AnyObject {}

    /// Tokens in such a place.
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
