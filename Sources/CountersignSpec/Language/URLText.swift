/// URLs as a spec writes them: absolute, with a host, in the characters of RFC 3986.
enum URLText {
    /// Reports mistakes in a URL.
    ///
    /// - Parameters:
    ///   - allowsPrivateUse: Whether the URL can have a private-use URI scheme without a host, such as `com.example.app:/callback`
    ///     (RFC 8252, section 7.1).
    ///   - remedy: The advice for an `http:` URL.
    static func check(
        _ text: String, at span: SourceSpan, allowsHTTP: Bool, allowsPrivateUse: Bool = false,
        remedy: String = "write https, or 'allow-http: true' beside it",
        into diagnostics: inout DiagnosticCollector
    ) {
        if allowsPrivateUse, let path = privateUsePath(of: text) {
            if let problem = problem(inContinuation: String(path)) { diagnostics.report(.invalidValue, problem, at: span) }
            return
        }
        guard let separator = text.firstRange(of: "://"), isScheme(text[..<separator.lowerBound]) else {
            diagnostics.report(.invalidValue, "'\(text.firstLine)' is not an absolute URL with a host", at: span)
            return
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            diagnostics.report(.invalidValue, "a URL in a spec cannot have a user name or password", at: span)
            return
        }
        guard let host = host(of: String(authority)) else {
            diagnostics.report(.invalidValue, "'\(text.firstLine)' has no host, or its port is not a number", at: span)
            return
        }
        if let problem = problem(inContinuation: String(rest.dropFirst(authority.count))) {
            diagnostics.report(.invalidValue, problem, at: span)
        }
        if scheme == "http", !allowsHTTP, !isLoopback(host) {
            diagnostics.report(
                .insecureURL, "'http:' is not encrypted; \(remedy)", at: span,
                suggestion: "https" + text[text.index(text.startIndex, offsetBy: 4)...])
        }
    }

    /// Reports mistakes in the address of a request with a login, which is `https:` or on this machine.
    static func checkLogin(_ text: String, at span: SourceSpan, into diagnostics: inout DiagnosticCollector) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http" || !text.contains("://") else {
            diagnostics.report(.invalidValue, "'\(text.firstLine)' is not an https URL", at: span)
            return
        }
        check(text, at: span, allowsHTTP: false, remedy: "write https", into: &diagnostics)
    }

    /// Returns the mistake in a path and query; `nil` if there is none.
    static func problem(inContinuation text: String) -> String? {
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "#": return "a URL in a spec cannot have a fragment, because servers do not receive it"
            case "%":
                let digits = scalars[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(\.properties.isASCIIHexDigit) else {
                    return "'%' in a URL must be followed by two hexadecimal digits"
                }
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":",
                "@",
                "/", "?":
                continue
            default: return "'\(scalar)' is not allowed in a URL; percent-encode it"
            }
        }
        return nil
    }

    /// Returns the path and query of a URL with a private-use URI scheme, which is a domain name in reverse, and without a host; `nil`
    /// for another URL.
    private static func privateUsePath(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        let path = text.dropFirst(scheme.count + 1)
        guard isScheme(scheme), scheme.contains("."), path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
        return path
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return false }
        return text.unicodeScalars.allSatisfy { $0 != "_" && $0.isNamePart || $0 == "+" || $0 == "-" || $0 == "." }
    }

    private static func host(of authority: String) -> String? {
        var host = authority[...]
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let address = host[host.index(after: host.startIndex)..<end]
            guard !address.isEmpty, address.unicodeScalars.allSatisfy({ $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
            return isPort(host[host.index(after: end)...]) ? String(address).lowercased() : nil
        }
        if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        let isName = host.unicodeScalars.allSatisfy { $0.isNamePart || $0 == "-" || $0 == "." }
        return !host.isEmpty && isName ? host.lowercased() : nil
    }

    /// Whether the text is empty, or a colon and a port number.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        return String(text.dropFirst()).strictInteger.map((1...65535).contains) == true
    }

    /// Whether the host is this machine, by the rules of the runtime. A name below `localhost` may be that of another machine.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { String($0).strictInteger }
        return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0.map((0...255).contains) == true }
    }
}
