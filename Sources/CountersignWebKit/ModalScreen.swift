#if canImport(WebKit) && canImport(UIKit)
internal import UIKit

/// A view controller that is presented with an animation. UIKit ignores a dismissal during the presentation, which then follows it.
@MainActor
final class ModalScreen {
    let controller: UIViewController
    private var isShown = false
    private var isHidden = false

    init(_ controller: UIViewController) { self.controller = controller }

    /// Presents the view controller.
    ///
    /// - Parameter onShown: Called when it is shown.
    func show(over presenting: UIViewController, onShown: @escaping () -> Void = {}) {
        presenting.present(controller, animated: true) {
            self.isShown = true
            onShown()
            if self.isHidden { self.dismiss() }
        }
    }

    /// Dismisses the view controller, at once or when it is shown.
    func hide() {
        isHidden = true
        if isShown { dismiss() }
    }

    /// The presenting view controller dismisses it together with those above, such as a panel of the page. The view controller itself
    /// would dismiss only these.
    private func dismiss() { controller.presentingViewController?.dismiss(animated: true) }
}
#endif
