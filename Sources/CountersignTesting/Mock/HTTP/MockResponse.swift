package import HTTPTypes

/// A response of the mock's rules, with its form of delivery.
package struct MockResponse: Sendable {
    /// The delivery of the body.
    package enum Delivery: Sendable {
        /// The complete body.
        case whole
        /// The full length is announced, and the connection is closed after half of the body.
        case truncated
        /// The body with additional bytes at an offset, generated while sending.
        case inflated(at: Int, by: Int)
        /// A body without an end, sent until the client closes the connection.
        case endless
        /// No response: the connection is reset.
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

    /// Returns a page that must not be stored.
    package static func page(_ html: String, status: HTTPResponse.Status = .ok) -> MockResponse {
        MockResponse(
            status: status,
            fields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: html.utf8)
    }

    /// Returns one line of text.
    package static func text(_ text: String, status: HTTPResponse.Status) -> MockResponse {
        MockResponse(
            status: status, fields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"], body: text.utf8)
    }

    /// Returns a redirect that the client follows with GET.
    static func redirect(to location: String) -> MockResponse {
        MockResponse(status: .found, fields: [.location: location, .cacheControl: "no-store"])
    }

    /// Returns the response to an unsupported method.
    package static func notAllowed(allow methods: String) -> MockResponse {
        var response = text("use \(methods)\n", status: .methodNotAllowed)
        response.fields[.allow] = methods
        return response
    }

    /// Returns the response with an additional cookie.
    package func settingCookie(_ name: String, to value: String, lifetime: String = "") -> MockResponse {
        var response = self
        response.fields.append(
            HTTPField(name: .setCookie, value: "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(lifetime)"))
        return response
    }

    /// Returns the response with a field that deletes a cookie.
    func clearingCookie(_ name: String) -> MockResponse {
        settingCookie(name, to: "", lifetime: "; Max-Age=0")
    }
}
