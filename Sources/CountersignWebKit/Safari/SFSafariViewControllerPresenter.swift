#if canImport(SafariServices) && canImport(UIKit) && canImport(WebKit)
internal import Countersign
public import Foundation
public import SafariServices
public import UIKit

/// Shows logins in a `SFSafariViewController` over the topmost view controller.
@MainActor
public final class SFSafariViewControllerPresenter: NSObject, SFSafariViewControllerPresenting {
    public weak var delegate: (any WebViewPresenterDelegate)?
    /// The current view controller; `nil` if no login is shown.
    public private(set) var safariViewController: SFSafariViewController?
    private var screen: ModalScreen?
    private weak var chosenViewController: UIViewController?

    /// The view controller that presents the page, not retained: by default the topmost one.
    public var webViewPresentingViewController: UIViewController? {
        get { chosenViewController ?? UIApplication.shared.topmostViewController }
        set { chosenViewController = newValue }
    }

    /// Creates a presenter without a delegate.
    public nonisolated override init() { super.init() }

    /// Creates a presenter.
    ///
    /// - Parameter delegate: Called when the user closes a page.
    public convenience init(delegate: (any WebViewPresenterDelegate)?) {
        self.init()
        self.delegate = delegate
    }

    public func presentWebView(
        with url: URL, completionHandler: @escaping (SFSafariViewController?, (any Error)?) -> Void
    ) {
        guard safariViewController == nil else { return completionHandler(nil, WebViewPresenterError.busy) }
        guard let controller = webViewPresentingViewController else {
            return completionHandler(nil, WebViewPresenterError.noWindow)
        }
        let safari = SFSafariViewController(url: url)
        safari.delegate = self
        safariViewController = safari
        let screen = ModalScreen(safari)
        self.screen = screen
        screen.show(over: controller) { completionHandler(safari, nil) }
        safari.presentationController?.delegate = self
    }

    public func dismissWebView() {
        screen?.hide()
        forget()
    }

    private func forget() {
        screen = nil
        safariViewController = nil
    }

    /// The user has closed a page, which may be that of a login that has already ended.
    private func close(_ controller: UIViewController) {
        guard controller === safariViewController else { return }
        forget()
        delegate?.didDismissWebView()
    }
}

extension SFSafariViewControllerPresenter: SFSafariViewControllerDelegate {
    /// Called when the user closed the page.
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) { close(controller) }
}

extension SFSafariViewControllerPresenter: UIAdaptivePresentationControllerDelegate {
    /// Called when the user swiped the page down, where the system shows it as a sheet.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        close(presentationController.presentedViewController)
    }
}
#endif
