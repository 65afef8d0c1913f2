public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Delivers the URLs that a scene is opened with, by the rules and to the observers of ``AppDelegateDispatcher``.
public enum SceneDelegateDispatcher {
    /// Delivers the URLs that a scene is opened with.
    ///
    /// - Returns: The URLs that a receiver took.
    @discardableResult
    public static func scene(openURLs urls: [(url: URL, options: OpenURLOptions)]) -> [URL] {
        urls.filter { AppDelegateDispatcher.application(open: $0.url, options: $0.options) }.map(\.url)
    }

    #if canImport(UIKit) && !os(watchOS)
    /// Delivers URLs with UIKit's options.
    @MainActor public static func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        self.scene(
            openURLs: contexts.map { ($0.url, OpenURLOptions(sourceApplication: $0.options.sourceApplication)) })
    }
    #endif
}
