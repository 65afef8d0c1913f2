extension CookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many cookies there are; no value is shown.
    public var description: String { "CookieJar(\(snapshot().cookies.count) cookies)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": all], displayStyle: .class) }
}

extension CookieJar.Snapshot: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many cookies there are; no value is shown.
    public var description: String { "CookieJar.Snapshot(\(cookies.count) cookies)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": cookies], displayStyle: .struct) }
}
