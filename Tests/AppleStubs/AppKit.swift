// What this package uses of AppKit, declared anew so that the code for it is type-checked on Linux (`.ci/apple`). The declarations follow
// Apple's documentation, the isolation to the main actor included; nothing here does anything.
@_exported import Foundation

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSApplication: NSResponder {
    open class var shared: NSApplication { NSApplication() }
    open var keyWindow: NSWindow? { nil }
    open var windows: [NSWindow] { [] }
}

@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) {}
    override public convenience init() { self.init(frame: NSRect()) }
}

@MainActor open class NSWindow: NSResponder {
    public struct StyleMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let titled = StyleMask(rawValue: 1)
        public static let closable = StyleMask(rawValue: 2)
        public static let resizable = StyleMask(rawValue: 8)
    }

    public enum BackingStoreType: UInt, Sendable {
        case buffered = 2
    }

    public init(
        contentRect: NSRect, styleMask style: StyleMask, backing backingStoreType: BackingStoreType, defer flag: Bool
    ) {}
    override public convenience init() {
        self.init(contentRect: NSRect(), styleMask: [], backing: .buffered, defer: true)
    }
    open var contentView: NSView?
    open weak var delegate: (any NSWindowDelegate)?
    open var isReleasedWhenClosed = true
    open func center() {}
    open func close() {}
    open func makeKeyAndOrderFront(_ sender: Any?) {}
}

@MainActor public protocol NSWindowDelegate: NSObjectProtocol {
    func windowWillClose(_ notification: Notification)
}
