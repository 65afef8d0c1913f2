extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Everything but the value.
    public var description: String {
        var parts = ["\(name)=<redacted>", isHostOnly ? "host \(domain)" : "domain \(domain)", "path \(path)"]
        if isSecure { parts.append("secure") }
        if isHTTPOnly { parts.append("http-only") }
        if let sameSite { parts.append("same-site \(sameSite)") }
        return "Cookie(\(parts.joined(separator: ", ")))"
    }

    public var debugDescription: String { description }

    // What dump(_:) and reflecting loggers walk through.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "domain": domain, "isHostOnly": isHostOnly, "path": path, "expires": expires as Any,
                "isSecure": isSecure, "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any,
            ],
            displayStyle: .struct)
    }
}
