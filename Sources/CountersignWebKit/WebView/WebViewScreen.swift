#if canImport(WebKit)
internal import Foundation
internal import WebKit

#if canImport(UIKit)
internal import UIKit

/// A sheet with a web view, which the user can close and reload.
@MainActor
final class WebViewScreen: NSObject, UIAdaptivePresentationControllerDelegate {
    private let controller: UINavigationController
    private let onClose: @MainActor () -> Void

    init(showing view: WKWebView, onClose: @escaping @MainActor () -> Void, onReload: @escaping @MainActor () -> Void) {
        let page = UIViewController()
        page.view = view
        controller = UINavigationController(rootViewController: page)
        self.onClose = onClose
        super.init()
        page.navigationItem.leftBarButtonItem = UIBarButtonItem(
            systemItem: .cancel,
            primaryAction: UIAction { [weak self] _ in
                self?.hide()
                onClose()
            })
        page.navigationItem.rightBarButtonItem = UIBarButtonItem(systemItem: .refresh, primaryAction: UIAction { _ in onReload() })
        controller.presentationController?.delegate = self
    }

    func show(over presenting: UIViewController) { presenting.present(controller, animated: true) }

    func hide() { controller.dismiss(animated: true) }

    // Called when the user swipes the sheet down, but not when the program dismisses it.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { onClose() }
}
#elseif canImport(AppKit)
internal import AppKit

/// A window with a web view, which the user can close.
@MainActor
final class WebViewScreen: NSObject, NSWindowDelegate {
    private let window: NSWindow
    private let onClose: @MainActor () -> Void
    private var isHidden = false

    init(showing view: WKWebView, onClose: @escaping @MainActor () -> Void, onReload: @escaping @MainActor () -> Void) {
        window = NSWindow(
            contentRect: NSRect(x: 0, y: 0, width: 480, height: 640), styleMask: [.titled, .closable, .resizable],
            backing: .buffered,
            defer: false)
        self.onClose = onClose
        super.init()
        window.isReleasedWhenClosed = false
        window.contentView = view
        window.delegate = self
        window.center()
    }

    func show() { window.makeKeyAndOrderFront(nil) }

    func hide() {
        isHidden = true
        window.close()
    }

    func windowWillClose(_ notification: Notification) {
        if !isHidden { onClose() }
    }
}
#endif
#endif
