public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Delivers the URLs that the application is opened with to their receivers.
///
/// A login that waits for the URL comes first, such as a page for a one-time passcode from an authenticator app; it needs no
/// registration. If several logins wait for the same URL, because their schemes are equal, none receives it, since the target is
/// ambiguous, and a message is logged in their sessions. A URL that a waiting login refuses is not delivered to other receivers.
/// Otherwise the registered observers are called in the order of their registration until one takes the URL.
///
/// ```swift
/// func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
///     AppDelegateDispatcher.application(app, open: url, options: options)
/// }
/// ```
///
/// Without UIKit, use ``application(open:options:)``. In an application with scenes, the system calls the scene's delegate instead; see
/// ``SceneDelegateDispatcher``.
public enum AppDelegateDispatcher {
    private static let observers = ObserverList()

    /// Registers an observer, which is not retained. Registering it again has no effect.
    public static func register(_ observer: any AppDelegateObserving) { observers.add(observer) }

    /// Removes an observer, if it is registered.
    public static func unregister(_ observer: any AppDelegateObserving) { observers.remove(observer) }

    /// Delivers a URL that the application is opened with.
    ///
    /// - Returns: Whether a receiver took it.
    public static func application(open url: URL, options: OpenURLOptions = OpenURLOptions()) -> Bool {
        dispatch(url, options) { $0.application(open: url, options: options) }
    }

    private static func dispatch(
        _ url: URL, _ options: OpenURLOptions, to take: (any AppDelegateObserving) -> Bool
    ) -> Bool {
        do {
            try CallbackRouter.shared.open(url, options: options)
            return true
        } catch .notAwaited {
            return observers.all.contains(where: take)
        } catch {
            return false
        }
    }

    #if canImport(UIKit) && !os(watchOS)
    /// Delivers a URL with UIKit's options.
    @MainActor public static func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        dispatch(url, OpenURLOptions(options)) { $0.application(app, open: url, options: options) }
    }
    #endif
}
