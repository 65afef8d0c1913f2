package import HTTPTypes

/// What the mock's rules answer, and how it goes over the wire.
package struct MockResponse: Sendable {
    /// How the body is sent.
    package enum Delivery: Sendable {
        /// As it should be.
        case whole
        /// The length says all, half of it is sent, and the connection is closed.
        case truncated
        /// With as many more letters at this place, which need not be kept in memory to be sent.
        case inflated(at: Int, by: Int)
        /// Bytes without an end, until the client hangs up.
        case endless
        /// Nothing is sent: the connection is reset.
        case reset
    }

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    package var body: [UInt8]
    package var delivery = Delivery.whole

    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: some Sequence<UInt8> = []) {
        self.status = status
        self.fields = fields
        self.body = Array(body)
    }

    /// A page that must not be stored.
    package static func page(_ html: String, status: HTTPResponse.Status = .ok) -> MockResponse {
        MockResponse(
            status: status,
            fields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: html.utf8)
    }

    /// One line of text.
    package static func text(_ text: String, status: HTTPResponse.Status) -> MockResponse {
        MockResponse(
            status: status, fields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"], body: text.utf8)
    }

    /// A redirect that makes the client go on with GET.
    static func redirect(to location: String) -> MockResponse {
        MockResponse(status: .found, fields: [.location: location, .cacheControl: "no-store"])
    }

    /// The answer to a method that the address does not know.
    package static func notAllowed(allow methods: String) -> MockResponse {
        var response = text("use \(methods)\n", status: .methodNotAllowed)
        response.fields[.allow] = methods
        return response
    }

    /// The same response with one more cookie.
    package func settingCookie(_ name: String, to value: String, lifetime: String = "") -> MockResponse {
        var response = self
        response.fields.append(
            HTTPField(name: .setCookie, value: "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(lifetime)"))
        return response
    }

    /// The same response that takes a cookie away.
    func clearingCookie(_ name: String) -> MockResponse {
        settingCookie(name, to: "", lifetime: "; Max-Age=0")
    }
}
