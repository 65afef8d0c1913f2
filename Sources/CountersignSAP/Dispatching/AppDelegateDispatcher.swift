public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Hands the URLs that the application is opened with to their receivers.
///
/// First comes a login that waits for the URL, such as a page for a one-time passcode whose authenticator app sends it; such a login needs
/// no registration. If several wait for the same URL, because their schemes are the same, it goes to none of them and their
/// sessions' loggers are notified: which one is meant is ambiguous. A URL that a waiting login refuses goes to no other receiver
/// either. Then come the registered observers, in the order of their registration, until one takes it.
///
/// ```swift
/// func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
///     AppDelegateDispatcher.application(app, open: url, options: options)
/// }
/// ```
///
/// Without UIKit the URL comes in by ``application(open:options:)``.
public enum AppDelegateDispatcher {
    private static let observers = ObserverList()

    /// Registers an observer, which is not kept alive. Doing it twice changes nothing.
    public static func register(_ observer: any AppDelegateObserving) { observers.add(observer) }

    /// Takes an observer off the list, if it is on it.
    public static func unregister(_ observer: any AppDelegateObserving) { observers.remove(observer) }

    /// The application is opened with a URL.
    ///
    /// - Returns: Whether a receiver took it.
    public static func application(open url: URL, options: OpenURLOptions = OpenURLOptions()) -> Bool {
        dispatch(url, options) { $0.application(open: url, options: options) }
    }

    private static func dispatch(
        _ url: URL, _ options: OpenURLOptions, to take: (any AppDelegateObserving) -> Bool
    ) -> Bool {
        do {
            try CallbackDesk.shared.open(url, options: options)
            return true
        } catch .notAwaited {
            return observers.all.contains(where: take)
        } catch {
            return false
        }
    }

    #if canImport(UIKit) && !os(watchOS)
    /// The same with what UIKit says of the URL.
    @MainActor public static func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        dispatch(url, OpenURLOptions(options)) { $0.application(app, open: url, options: options) }
    }
    #endif
}
