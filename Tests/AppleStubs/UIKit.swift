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
}

@MainActor open class UIScene: UIResponder {
    @MainActor open class OpenURLOptions: NSObject {
        open var sourceApplication: String? { nil }
        open var openInPlace: Bool { false }
    }
}

@MainActor open class UIOpenURLContext: NSObject {
    open var url: URL { URL(filePath: "/") }
    open var options: UIScene.OpenURLOptions { UIScene.OpenURLOptions() }
}
