@_exported public import Countersign
@_exported public import CountersignFoundation
@_exported public import CountersignIdentity
@_exported public import CountersignWebKit

// The names of the SAP BTP SDK for iOS for what is the same here.

/// Sends requests and answers challenges: `FoundationSession` under the name of the SDK.
public typealias SAPURLSession = FoundationSession
/// One request on its way: `FoundationSessionTask` under the name of the SDK.
public typealias SAPURLSessionTask = FoundationSessionTask
/// A session's cookies: `FoundationCookieStorage` under the name of the SDK.
public typealias SAPHTTPCookieStorage = FoundationCookieStorage
/// Shows a page until a URL ends the flow: `WebPresenter` under the name that a sample of the SDK has for any presenter.
public typealias WebViewPresenting = WebPresenter

#if canImport(WebKit)
/// A web view's delegate for navigations and challenges: `WebViewNavigationDelegate` under the name of the SDK.
public typealias SAPWKNavigationDelegate = WebViewNavigationDelegate
/// A web view's delegate for panels and further windows: `WebViewUIDelegate` under the name of the SDK.
public typealias SAPWKUIDelegate = WebViewUIDelegate
#endif
