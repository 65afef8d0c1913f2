// The parts of UIKit that samples use, and the overloads that the product has on platforms with UIKit.

#if !canImport(UIKit)
internal import Countersign
public import Foundation
public import SAPMobileServices

/// The base of delegates.
@MainActor open class UIResponder {
    /// Makes one.
    public init() {}
}

/// The application.
@MainActor public final class UIApplication {
    /// The one application.
    public static let shared = UIApplication()

    /// A key of the information that the system gives with a URL.
    public struct OpenURLOptionsKey: Hashable, Sendable {
        private let name: String
        /// The application that opened the URL.
        public static let sourceApplication = OpenURLOptionsKey(name: "sourceApplication")
    }

    /// A key of the information that the system gives at a launch.
    public struct LaunchOptionsKey: Hashable, Sendable {
        private let name: String
        /// The URL that the application was started with.
        public static let url = LaunchOptionsKey(name: "url")
    }
}

/// The seeds' name for the type, which UIKit removed with Swift 4.2.
public typealias UIApplicationOpenURLOptionsKey = UIApplication.OpenURLOptionsKey

/// Receives the events of the application.
@MainActor public protocol UIApplicationDelegate: AnyObject {
    /// The application has started.
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The application is opened with a URL.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    public func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool { false }
}

/// One of the application's user interfaces.
@MainActor public final class UIScene {
    /// Makes one.
    public init() {}
}

/// Receives the events of a scene.
@MainActor public protocol UIWindowSceneDelegate: AnyObject {
    /// The scene is opened with URLs.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

/// A URL that a scene is opened with.
@MainActor public final class UIOpenURLContext: Hashable {
    /// The URL.
    public let url: URL
    /// The application that opened the URL.
    public let sourceApplication: String?

    /// Makes one.
    public init(url: URL, sourceApplication: String? = nil) {
        self.url = url
        self.sourceApplication = sourceApplication
    }

    nonisolated public static func == (left: UIOpenURLContext, right: UIOpenURLContext) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The content of a window.
@MainActor open class UIViewController: UIResponder {}

/// A window.
@MainActor public final class UIWindow: UIResponder {
    /// The controller of the window's content.
    public var rootViewController: UIViewController?
}

/// A screen of SAP Fiori.
@MainActor public final class FUIInfoViewController: UIViewController {
    /// Makes the screen that is shown while the application starts.
    public static func createSplashScreenInstanceFromStoryboard() -> FUIInfoViewController { FUIInfoViewController() }
}

extension AppDelegateDispatcher {
    /// Passes on a URL with the options of UIKit.
    @MainActor public static func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        application(open: url, options: OpenURLOptions(sourceApplication: options[.sourceApplication] as? String))
    }
}

extension SceneDelegateDispatcher {
    /// Passes on URLs with the contexts of UIKit.
    @MainActor public static func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        self.scene(openURLs: contexts.map { ($0.url, OpenURLOptions(sourceApplication: $0.sourceApplication)) })
    }
}

extension OAuth2Authenticator {
    /// Passes on a URL with the options of UIKit.
    @MainActor @discardableResult public static func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        application(open: url, options: OpenURLOptions(sourceApplication: options[.sourceApplication] as? String))
    }
}
#endif
