#if canImport(WebKit)
internal import Foundation
internal import WebKit

#if canImport(UIKit)
internal import UIKit

/// A sheet with a web view, which the user can close and reload.
@MainActor
final class WebViewScreen {
    private let modal: ModalScreen
    private let onClose: @MainActor () -> Void
    private var isClosed = false

    init(showing view: WKWebView, onClose: @escaping @MainActor () -> Void, onReload: @escaping @MainActor () -> Void) {
        let page = UIViewController()
        page.view = view
        let sheet = Sheet(rootViewController: page)
        modal = ModalScreen(sheet)
        self.onClose = onClose
        sheet.onDismissal = { [weak self] in self?.close() }
        page.navigationItem.leftBarButtonItem = UIBarButtonItem(
            systemItem: .cancel,
            primaryAction: UIAction { [weak self] _ in
                guard let self else { return }
                close()
                hide()
            })
        page.navigationItem.rightBarButtonItem = UIBarButtonItem(systemItem: .refresh, primaryAction: UIAction { _ in onReload() })
    }

    func show(over presenting: UIViewController) { modal.show(over: presenting) }

    func hide() {
        isClosed = true
        modal.hide()
    }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        onClose()
    }
}

/// A sheet that reports its dismissal: by the user, who swipes it down, or by the application, of which UIKit notifies no delegate.
private final class Sheet: UINavigationController {
    var onDismissal: (() -> Void)?

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // It also disappears behind another view controller.
        if isBeingDismissed || presentingViewController == nil { onDismissal?() }
    }
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
        // It releases the window, which is closing until this method has returned.
        Task { if !isHidden { onClose() } }
    }
}
#endif
#endif
