// What this package uses of UIKit, declared anew so that the code for it is type-checked on Linux (`.ci/apple`). The declarations follow
// Apple's documentation, the isolation to the main actor included; nothing here does anything.
@_exported import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
    public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    public enum State: Int, Sendable {
        case active
        case inactive
        case background
    }

    open class var shared: UIApplication { UIApplication() }
    open var applicationState: State { .active }
    open var connectedScenes: Set<UIScene> { [] }
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
}

@MainActor open class UIScene: UIResponder {
    @MainActor open class OpenURLOptions: NSObject {
        open var sourceApplication: String? { nil }
        open var openInPlace: Bool { false }
    }

    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    open var activationState: ActivationState { .unattached }
    open var session: UISceneSession { UISceneSession() }
}

@MainActor open class UISceneSession: NSObject {
    public struct Role: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    open var role: Role { .windowApplication }
}

@MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

@MainActor open class UIWindowScene: UIScene {
    open var keyWindow: UIWindow? { nil }
}

@MainActor open class UIOpenURLContext: NSObject {
    open var url: URL { URL(filePath: "/") }
    open var options: UIScene.OpenURLOptions { UIScene.OpenURLOptions() }
}

@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) {}
    override public convenience init() { self.init(frame: CGRect()) }
    open var window: UIWindow? { nil }
}

@MainActor open class UIWindow: UIView {
    open var rootViewController: UIViewController?
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    override public convenience init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
    open var view: UIView?
    open var viewIfLoaded: UIView? { nil }
    open var presentedViewController: UIViewController? { nil }
    open var presentingViewController: UIViewController? { nil }
    open var isBeingPresented: Bool { false }
    open var isBeingDismissed: Bool { false }
    open var presentationController: UIPresentationController? { nil }
    open var navigationItem: UINavigationItem { UINavigationItem() }
    open func viewDidDisappear(_ animated: Bool) {}
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
}

@MainActor open class UINavigationItem: NSObject {
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
}

@MainActor open class UIBarButtonItem: NSObject {
    public enum SystemItem: Int, Sendable {
        case done
        case cancel
        case refresh = 13
    }

    public init(systemItem: SystemItem, primaryAction: UIAction? = nil) {}
}

@MainActor open class UIAction: NSObject {
    public convenience init(title: String = "", handler: @escaping (UIAction) -> Void) { self.init() }
}

@MainActor open class UIPresentationController: NSObject {
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    open var presentedViewController: UIViewController { UIViewController() }
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}
