public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Takes URLs that the application is opened with; see ``AppDelegateDispatcher``.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol AppDelegateObserving: AnyObject, Sendable {
    /// The application is opened with a URL.
    ///
    /// - Returns: Whether the URL was for this observer; then no other gets it.
    func application(open url: URL, options: OpenURLOptions) -> Bool

    #if canImport(UIKit) && !os(watchOS)
    /// The same with what UIKit says of the URL.
    @MainActor func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    #endif
}

extension AppDelegateObserving {
    /// Takes no URL.
    public func application(open url: URL, options: OpenURLOptions) -> Bool { false }

    #if canImport(UIKit) && !os(watchOS)
    /// Asks ``application(open:options:)``.
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
