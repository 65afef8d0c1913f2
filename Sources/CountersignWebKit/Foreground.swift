#if canImport(WebKit)
internal import Countersign
#if canImport(UIKit)
internal import UIKit
#endif

/// The check whether the application may show a page.
@MainActor
enum Foreground {
    /// Waits until the application can present a page.
    ///
    /// - Throws: `PresentationFailure.background` if the application is in the background. On macOS it never is.
    static func require() async throws(PresentationFailure) {
        #if canImport(UIKit)
        guard UIApplication.shared.applicationState != .background else { throw .background }
        await UIApplication.shared.endOfTransition()
        #endif
    }
}

#if canImport(UIKit)
extension UIApplication {
    /// The key window of the active scene, or else of one in the foreground. Of several active scenes, it is any of them. The scene
    /// of an external display, which the user cannot touch, is ignored.
    var activeWindow: UIWindow? {
        let scenes = connectedScenes.compactMap { $0 as? UIWindowScene }.filter { $0.session.role == .windowApplication }
        func first(in state: UIScene.ActivationState) -> UIWindowScene? { scenes.first { $0.activationState == state } }
        return (first(in: .foregroundActive) ?? first(in: .foregroundInactive) ?? scenes.first)?.keyWindow
    }

    /// The topmost presented view controller.
    var topmostViewController: UIViewController? {
        var controller = activeWindow?.rootViewController
        while let above = controller?.presentedViewController { controller = above }
        return controller
    }

    /// Waits until no view controller of the active window is being presented or dismissed, for at most 2 seconds. UIKit presents no
    /// other one in the meantime, such as the page of a second factor while that of the first one disappears.
    fileprivate func endOfTransition() async {
        for _ in 0..<40 where isInTransition { try? await Task.sleep(for: .milliseconds(50)) }
    }

    private var isInTransition: Bool {
        var controller = activeWindow?.rootViewController
        while let current = controller {
            if current.isBeingPresented || current.isBeingDismissed { return true }
            controller = current.presentedViewController
        }
        return false
    }
}
#endif
#endif
