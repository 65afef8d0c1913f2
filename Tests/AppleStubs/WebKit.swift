// What this package uses of WebKit, declared anew so that the code for it is type-checked on Linux (`.ci/apple`). The declarations follow
// Apple's documentation, the isolation to the main actor included; nothing here does anything. The methods of Objective-C's protocols
// that need not be implemented are requirements here, so that one with another type, which would never be called, is found.
@_exported import Foundation
@_exported import FoundationNetworking
#if canImport(UIKit)
@_exported import UIKit
public typealias ViewOfWebKit = UIView
#else
@_exported import AppKit
public typealias ViewOfWebKit = NSView
#endif

@MainActor open class WKWebView: ViewOfWebKit {
    public init(frame: CGRect, configuration: WKWebViewConfiguration) { super.init(frame: frame) }
    override public init(frame: CGRect) { super.init(frame: frame) }
    open var configuration: WKWebViewConfiguration { WKWebViewConfiguration() }
    open class func handlesURLScheme(_ urlScheme: String) -> Bool { true }
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    open weak var uiDelegate: (any WKUIDelegate)?
    open var url: URL? { nil }
    @discardableResult open func load(_ request: URLRequest) -> WKNavigation? { nil }
    @discardableResult open func reload() -> WKNavigation? { nil }
}

@MainActor open class WKWebViewConfiguration: NSObject {
    open var websiteDataStore: WKWebsiteDataStore = .nonPersistent()
}

@MainActor open class WKWebsiteDataStore: NSObject {
    open class func `default`() -> WKWebsiteDataStore { WKWebsiteDataStore() }
    open class func nonPersistent() -> WKWebsiteDataStore { WKWebsiteDataStore() }
    open var httpCookieStore: WKHTTPCookieStore { WKHTTPCookieStore() }
}

@MainActor open class WKHTTPCookieStore: NSObject {
    open func allCookies() async -> [HTTPCookie] { [] }
    open func setCookie(_ cookie: HTTPCookie) async {}
}

@MainActor open class WKNavigation: NSObject {}

@MainActor open class WKFrameInfo: NSObject {
    open var isMainFrame: Bool { true }
}

@MainActor open class WKNavigationAction: NSObject {
    open var request: URLRequest { URLRequest(url: URL(filePath: "/")) }
    open var targetFrame: WKFrameInfo? { nil }
    open var navigationType: WKNavigationType { .other }
}

public enum WKNavigationType: Int, @unchecked Sendable {
    case linkActivated
    case formSubmitted
    case backForward
    case reload
    case formResubmitted
    case other = -1
}

@MainActor open class WKNavigationResponse: NSObject {
    open var isForMainFrame: Bool { true }
    open var response: URLResponse {
        URLResponse(url: URL(filePath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
}

public enum WKNavigationActionPolicy: Int, @unchecked Sendable {
    case cancel
    case allow
    case download
}

public enum WKNavigationResponsePolicy: Int, @unchecked Sendable {
    case cancel
    case allow
    case download
}

@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy
    func webView(_ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse) async -> WKNavigationResponsePolicy
    func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
    func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor public protocol WKUIDelegate: NSObjectProtocol {}
