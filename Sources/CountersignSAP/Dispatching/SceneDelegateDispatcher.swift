public import Countersign
public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Hands the URLs that a scene is opened with to their receivers, by the rules and to the observers of ``AppDelegateDispatcher``.
public enum SceneDelegateDispatcher {
    /// A scene is opened with URLs.
    ///
    /// - Returns: Those that a receiver took.
    @discardableResult
    public static func scene(openURLs urls: [(url: URL, options: OpenURLOptions)]) -> [URL] {
        urls.filter { AppDelegateDispatcher.application(open: $0.url, options: $0.options) }.map(\.url)
    }

    #if canImport(UIKit) && !os(watchOS)
    /// The same with what UIKit says of the URLs.
    @MainActor public static func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        self.scene(
            openURLs: contexts.map { ($0.url, OpenURLOptions(sourceApplication: $0.options.sourceApplication)) })
    }
    #endif
}
