public import CountersignSAP
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// A sample of the SDK forwards URLs here, another to `AppDelegateDispatcher`. Both do the same.
extension OAuth2Authenticator {
    /// The application is opened with a URL: hands it to the login that waits for it, as `AppDelegateDispatcher` does.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: What the system says of it.
    /// - Returns: Whether somebody took it.
    @discardableResult
    public static func application(open url: URL, options: OpenURLOptions = OpenURLOptions()) -> Bool {
        AppDelegateDispatcher.application(open: url, options: options)
    }

    #if canImport(UIKit) && !os(watchOS)
    /// The same with what UIKit says of the URL.
    @MainActor @discardableResult
    public static func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        AppDelegateDispatcher.application(app, open: url, options: options)
    }
    #endif
}
