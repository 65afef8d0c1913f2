#if canImport(WebKit)
internal import Countersign
#if canImport(UIKit)
internal import UIKit
#endif

/// The check whether the application may show a page.
@MainActor
enum Foreground {
    /// - Throws: `PresentationFailure.background` if the application is in the background. On macOS it never is.
    static func require() throws(PresentationFailure) {
        #if canImport(UIKit)
        guard UIApplication.shared.applicationState != .background else { throw .background }
        #endif
    }
}

#if canImport(UIKit)
extension UIApplication {
    /// The key window of the active scene.
    var activeWindow: UIWindow? {
        let scenes = connectedScenes.compactMap { $0 as? UIWindowScene }
        let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        return scene?.keyWindow
    }

    /// The topmost presented view controller.
    var topmostViewController: UIViewController? {
        var controller = activeWindow?.rootViewController
        while let above = controller?.presentedViewController { controller = above }
        return controller
    }
}
#endif
#endif
