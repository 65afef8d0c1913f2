public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Receives URLs that the application is opened with; see ``AppDelegateDispatcher``.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol AppDelegateObserving: AnyObject, Sendable {
    /// Called when the application is opened with a URL.
    ///
    /// - Returns: Whether the URL was for this observer. Then no other observer is called.
    func application(open url: URL, options: OpenURLOptions) -> Bool

    #if canImport(UIKit) && !os(watchOS)
    /// Called when the application is opened with a URL, with UIKit's options.
    @MainActor func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    #endif
}

extension AppDelegateObserving {
    /// Returns `false`.
    public func application(open url: URL, options: OpenURLOptions) -> Bool { false }

    #if canImport(UIKit) && !os(watchOS)
    /// Calls ``application(open:options:)``.
    @MainActor public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        application(open: url, options: OpenURLOptions(options))
    }
    #endif
}

#if canImport(UIKit) && !os(watchOS)
extension OpenURLOptions {
    init(_ options: [UIApplication.OpenURLOptionsKey: Any]) {
        self.init(sourceApplication: options[.sourceApplication] as? String)
    }
}
#endif
