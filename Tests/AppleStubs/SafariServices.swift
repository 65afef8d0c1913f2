// What this package uses of SafariServices, declared anew so that the code for it is type-checked on Linux (`.ci/apple`). The declarations
// follow Apple's documentation; nothing here does anything. On macOS the framework is there, and has none of this.
@_exported import Foundation

#if canImport(UIKit)
@_exported import UIKit

@MainActor open class SFSafariViewController: UIViewController {
    public init(url URL: URL) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
    open weak var delegate: (any SFSafariViewControllerDelegate)?
}

@MainActor public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}
#endif
