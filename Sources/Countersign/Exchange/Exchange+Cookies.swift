internal import HTTPTypes

// The cookies of a request, and those that its response sets.

extension Exchange {
    /// Adds the cookies, unless the caller has a `Cookie` field of its own. Cookies that observers have set as a field replace those
    /// of the same names.
    @inline(never)
    func attachCookies(to head: inout HTTPRequest) {
        let isCallers = sent.origin == target.origin && request.head.headerFields.contains(.cookie)
        guard !isCallers,
            let cookies = credentialCookies.map({ $0.header(for: sent.url, with: cookies) }) ?? cookies.header(at: sent.address)
        else { return }
        if let own = head.headerFields[.cookie] {
            head.headerFields[.cookie] = nil
            appendCookies(Self.cookies(own, beside: cookies), to: &head)
        } else {
            appendCookies(cookies, to: &head)
        }
    }

    /// Returns the value of a `Cookie` field with the cookies of two, without those of the second whose name is in the first.
    private static func cookies(_ own: String, beside others: String) -> String {
        func pairs(_ value: String) -> [Substring] { value.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } } }
        func name(_ pair: Substring) -> Substring { pair.prefix { $0 != "=" } }
        let names = Set(pairs(own).map(name))
        return (pairs(own) + pairs(others).filter { !names.contains(name($0)) }).joined(separator: "; ")
    }

    private func appendCookies(_ cookies: String, to head: inout HTTPRequest) {
        // HTTP/1.1 requires a single field. It must never be kept in a compression table.
        var field = HTTPField(name: .cookie, value: cookies)
        field.indexingStrategy = .disallow
        head.headerFields.append(field)
    }

    @inline(never)
    func takeCookies() {
        guard let head = response?.head, head.headerFields.contains(.setCookie) else { return }
        let jar = credentialCookies ?? cookies
        let change = jar.change(storing: head.headerFields[values: .setCookie], from: sent.url)
        // The jar of a login belongs to that login alone. After a logout, its cookies are needed to end the session at the server.
        if credentialCookies == nil, request.cookies != nil {
            if let change { jar.make(change) }
        } else {
            session.changeCookies(in: epoch, change, of: jar)
        }
    }

    /// The session's cookies, or those of a running login for its own requests and those of its review.
    private var cookies: CookieJar { request.cookies ?? FlightScope.provisionalCookies(in: session) ?? session.cookies }
}
