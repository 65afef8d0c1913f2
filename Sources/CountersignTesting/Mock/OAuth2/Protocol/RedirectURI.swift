/// Redirect URIs of clients.
package enum RedirectURI {
    /// Whether a URI equals a registered one byte by byte (RFC 9700, section 2.1), except for the port of a loopback address.
    static func matches(_ uri: String, registered: String) -> Bool {
        // Strings beyond ASCII may be equal without being the same bytes.
        guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !uri.contains("#") else { return false }
        if uri.utf8.elementsEqual(registered.utf8) { return true }
        guard let loopback = withoutPort(uri), let registered = withoutPort(registered) else { return false }
        return loopback == registered
    }

    /// Returns a URI with parameters added to its query (RFC 6749, section 4.1.2), or to its fragment, which is invalid.
    package static func adding(_ parameters: [(name: String, value: String)], to uri: String, asFragment: Bool = false) -> String {
        let separator = asFragment ? "#" : uri.contains("?") ? "&" : "?"
        return uri + separator + FormFields.encode(parameters)
    }

    /// Returns a loopback URI without its port, which the client does not know beforehand (RFC 8252, section 7.3). `localhost`
    /// does not count, since the name may resolve to another machine (section 8.3).
    private static func withoutPort(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
            var rest = uri.dropFirst(host.count)
            if rest.first == ":" {
                let port = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                guard let number = Int(port), (1...65535).contains(number) else { return nil }
                rest = rest.dropFirst(1 + port.count)
            }
            guard rest.isEmpty || rest.first == "/" || rest.first == "?" else { return nil }
            return host + rest
        }
        return nil
    }
}
