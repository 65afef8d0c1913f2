// What this package uses of AuthenticationServices, declared anew so that the code for it is type-checked on Linux (`.ci/apple`). The
// declarations follow Apple's documentation; nothing here does anything.
@_exported import Foundation
#if canImport(UIKit)
@_exported import UIKit
public typealias ASPresentationAnchor = UIWindow
#else
@_exported import AppKit
public typealias ASPresentationAnchor = NSWindow
#endif

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    open class Callback: NSObject {
        open class func customScheme(_ customScheme: String) -> Self { fatalError("a stub") }
        open class func https(host: String, path: String) -> Self { fatalError("a stub") }
    }

    public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
    public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {}
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    open var prefersEphemeralWebBrowserSession = false
    open func start() -> Bool { false }
    open func cancel() {}
}

// On the main actor in later SDKs than those of iOS 18 and macOS 15. A method without isolation satisfies it in both.
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }

    public static var errorDomain: String { "com.apple.AuthenticationServices.WebAuthenticationSession" }
    public var code: Code { .canceledLogin }
}
