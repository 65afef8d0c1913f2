@_exported public import Countersign
@_exported public import CountersignFoundation
@_exported public import CountersignIdentity
@_exported public import CountersignWebKit

// The names of the SAP BTP SDK for iOS for equivalent types.

/// A session that sends requests and answers challenges: `FoundationSession` under the name of the SDK.
public typealias SAPURLSession = FoundationSession
/// A request of a session: `FoundationSessionTask` under the name of the SDK.
public typealias SAPURLSessionTask = FoundationSessionTask
/// A session's cookies: `FoundationCookieStorage` under the name of the SDK.
public typealias SAPHTTPCookieStorage = FoundationCookieStorage
/// A presenter of login pages: `WebPresenter` under the name that a sample of the SDK uses.
public typealias WebViewPresenting = WebPresenter

#if canImport(WebKit)
/// The delegate of a web view for navigations and challenges: `WebViewNavigationDelegate` under the name of the SDK.
public typealias SAPWKNavigationDelegate = WebViewNavigationDelegate
/// The delegate of a web view for panels and additional windows: `WebViewUIDelegate` under the name of the SDK.
public typealias SAPWKUIDelegate = WebViewUIDelegate
#endif
